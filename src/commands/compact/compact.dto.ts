import { SUMMARY_CHARACTERS_MAX } from '../../domain/decide-compaction.js';
import { ChoiceField, FlagField, IdField, NumberField, TextField } from '../dto/fields.js';
import { OwnedBody } from '../dto/owned-body.js';

export class StartCompactionBody extends OwnedBody {
  @IdField({
    description:
      'Make it yourself to be able to retry. Default: made of the Idempotency-Key, or a new UUID.',
    optional: true,
  })
  compactionId?: string;

  @ChoiceField({ description: 'Who wanted it.', choices: ['auto', 'manual'], optional: true })
  trigger: 'auto' | 'manual' = 'auto';

  @NumberField({
    description: 'Most tokens of the kept tail.',
    min: 1,
    max: 10_000_000,
    optional: true,
  })
  keepTokens?: number;

  @NumberField({
    description: 'Groups (a message, or a call with its results) to keep at least. Default: 4.',
    min: 0,
    max: 100_000,
    optional: true,
  })
  keepGroups?: number;

  @FlagField({
    description: 'Allow the tail to begin inside a turn, not only at a user input.',
    optional: true,
  })
  withinTurn: boolean = false;
}

export class CommitCompactionBody extends OwnedBody {
  @TextField({
    description: 'What stands for the covered range. Absent: a built-in digest, made by no model.',
    charactersMin: 1,
    charactersMax: SUMMARY_CHARACTERS_MAX,
    optional: true,
  })
  summary?: string;

  @IdField({ description: 'The model call that made the summary, for its cost.', optional: true })
  modelCallId?: string;
}

export class CheckCompactionBody {
  @TextField({
    description: 'The summary that is to be checked. Absent: the built-in digest.',
    charactersMax: SUMMARY_CHARACTERS_MAX,
    optional: true,
  })
  summary?: string;
}

export class FailCompactionBody extends OwnedBody {
  @TextField({ description: 'What went wrong.', charactersMax: 4_096, optional: true })
  detail?: string;
}
