import { ChoiceField, IdField, LabelsField, NumberField, TextField } from '../dto/fields.js';

export class ForkSessionBody {
  @IdField({
    description:
      'Make it yourself to be able to retry. Default: made of the Idempotency-Key, or a new UUID.',
    optional: true,
  })
  forkId?: string;

  @NumberField({
    description: "The parent's last revision that the fork inherits. Default: its newest.",
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    optional: true,
  })
  at?: number;

  @TextField({ description: 'Shown in lists.', charactersMax: 256, optional: true })
  title?: string;

  @LabelsField({ description: "In place of the parent's labels.", optional: true })
  labels?: Record<string, string>;

  @ChoiceField({
    description: 'As for a new session.',
    choices: ['auto', 'manual'],
    optional: true,
  })
  recoveryMode: 'auto' | 'manual' = 'auto';
}
