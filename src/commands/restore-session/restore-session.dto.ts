import { FlagField, IdField, TextField } from '../dto/fields.js';
import { ContextBody } from '../dto/context-body.js';
import { ConfirmField, ProfileVersionField, ToolNamesField } from '../dto/setup-fields.js';

export class RestoreSessionBody extends ContextBody {
  @IdField({
    description: 'Also claim the session for this worker. Absent: only say how it stands.',
    optional: true,
  })
  workerId?: string;

  @TextField({
    description: 'With `workerId`: a new random secret for the claim.',
    charactersMin: 16,
    charactersMax: 256,
    optional: true,
  })
  claimToken?: string;

  @IdField({
    description: 'Id of a run that the claim starts. Default: a new UUID.',
    optional: true,
  })
  runId?: string;

  @FlagField({ description: 'Operator: claim although the lease is live.', optional: true })
  force: boolean = false;

  @ProfileVersionField()
  profileVersion?: string;

  @ToolNamesField()
  toolNames?: readonly string[];

  @ConfirmField()
  confirmDifferences?: boolean;
}
