import {
  IdField,
  IdListField,
  LabelsField,
  NumberField,
  TextField,
} from '../commands/dto/fields.js';
import { ConfirmField, ProfileVersionField, ToolNamesField } from '../commands/dto/setup-fields.js';

export const WORK_WAIT_MS_MAX = 60_000;

export class ClaimWorkBody {
  @IdField({ description: 'Name of the worker, shown to others while it holds the session.' })
  workerId: string;

  @TextField({
    description: 'A new random secret for this claim. Keep it: every owner request needs it.',
    charactersMin: 16,
    charactersMax: 256,
  })
  claimToken: string;

  @IdListField({
    description: 'Only sessions whose profile has one of these names. Default: all.',
    itemsMax: 50,
    optional: true,
  })
  profiles?: readonly string[];

  @LabelsField({ description: 'Only sessions with all of these labels.', optional: true })
  labels: Readonly<Record<string, string>> = {};

  @NumberField({
    description: 'How long to wait for work, in milliseconds. 0: answer at once.',
    min: 0,
    max: WORK_WAIT_MS_MAX,
    optional: true,
  })
  waitMs: number = 20_000;

  @ProfileVersionField()
  profileVersion?: string;

  @ToolNamesField()
  toolNames?: readonly string[];

  @ConfirmField()
  confirmDifferences?: boolean;
}
