import { SUMMARY_CHARACTERS_MAX } from '../../domain/decide-compaction.js';
import type { NativeSummary } from '../../domain/events/compaction-events.js';
import { jsonFault } from '../dto/json-value.js';
import {
  CheckedField,
  ChoiceField,
  FlagField,
  IdField,
  NumberField,
  TextField,
} from '../dto/fields.js';
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

  @CheckedField({
    description:
      "The provider's own summary, beside the readable one: {provider, api?, model, blocks}, with " +
      'blocks of type compaction as the provider made them. Only that model gets them back.',
    schema: { type: 'object', required: ['provider', 'model', 'blocks'] },
    name: 'isNativeSummary',
    faultOf: nativeFault,
    optional: true,
  })
  native?: NativeSummary;

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

const NATIVE_KEYS = ['provider', 'api', 'model', 'blocks'];
const NATIVE_BLOCKS_MAX = 16;

function nativeFault(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'must be an object: {provider, api?, model, blocks}';
  }
  const unknown = Object.keys(value).find((key) => !NATIVE_KEYS.includes(key));
  if (unknown !== undefined) return `has an unknown key "${unknown}"`;
  const { provider, api, model, blocks } = value as Record<string, unknown>;
  if (typeof provider !== 'string' || typeof model !== 'string') {
    return 'needs the "provider" and the "model" that made it';
  }
  if (api !== undefined && typeof api !== 'string') return '"api" must be a text';
  if (!Array.isArray(blocks) || blocks.length === 0 || blocks.length > NATIVE_BLOCKS_MAX) {
    return `needs 1 to ${NATIVE_BLOCKS_MAX} "blocks"`;
  }
  const isCompaction = (block: unknown): boolean =>
    (block as { readonly type?: unknown } | null)?.type === 'compaction';
  return blocks.every(isCompaction)
    ? jsonFault(value)
    : 'has blocks of another type than compaction';
}
