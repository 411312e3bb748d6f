import { CutBody } from '../dto/cut-body.js';
import { ChoiceField, IdField, LabelsField, TextField } from '../dto/fields.js';

/** Without a place the fork inherits everything; `side` is `through` unless it is given. */
export class ForkSessionBody extends CutBody {
  @IdField({
    description:
      'Make it yourself to be able to retry. Default: made of the Idempotency-Key, or a new UUID.',
    optional: true,
  })
  forkId?: string;

  @TextField({ description: 'Shown in lists.', charactersMax: 256, optional: true })
  title?: string;

  @LabelsField({ description: "In place of the parent's labels.", optional: true })
  labels?: Record<string, string>;

  @ChoiceField({
    description: 'As for a new session.',
    choices: ['auto', 'manual'],
    optional: true,
  })
  recoveryMode?: 'auto' | 'manual';
}
