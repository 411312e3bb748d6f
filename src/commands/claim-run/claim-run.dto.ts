import { ChoiceField, FlagField, IdField, TextField } from '../dto/fields.js';
import { ConfirmField, ProfileVersionField, ToolNamesField } from '../dto/setup-fields.js';

export class ClaimRunBody {
  @IdField({ description: 'Name of the worker, shown to others while it holds the session.' })
  workerId: string;

  @TextField({
    description: 'A new random secret for this claim. Keep it: every owner request needs it.',
    charactersMin: 16,
    charactersMax: 256,
  })
  claimToken: string;

  @IdField({
    description: 'Id of a run that this claim starts. Default: a new UUID.',
    optional: true,
  })
  runId?: string;

  @ChoiceField({
    description: 'compaction: a run without inputs, to compact a resting session.',
    choices: ['agent', 'compaction'],
    optional: true,
  })
  kind: 'agent' | 'compaction' = 'agent';

  @FlagField({ description: 'Operator: take it although its lease is live.', optional: true })
  force: boolean = false;

  @ProfileVersionField()
  profileVersion?: string;

  @ToolNamesField()
  toolNames?: readonly string[];

  @ConfirmField()
  confirmDifferences?: boolean;
}
