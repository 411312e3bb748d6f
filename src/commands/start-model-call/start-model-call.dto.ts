import { DELIVERIES_AT_ONCE_MAX } from '../../domain/decide-claim.js';
import type { ModelCallPurpose } from '../../domain/events/model-events.js';
import { ChoiceField, IdField, IdListField, NumberField, TextField } from '../dto/fields.js';
import { OwnedBody } from '../dto/owned-body.js';

const MODEL_CALL_TIMEOUT_MS_MAX = 86_400_000;

export class StartModelCallBody extends OwnedBody {
  @IdField({
    description:
      'Make it yourself to be able to retry. Default: made of the Idempotency-Key, or a new UUID.',
    optional: true,
  })
  modelCallId?: string;

  @IdField({
    description: 'Id of the message that this call will produce. Default: a new UUID.',
    optional: true,
  })
  messageId?: string;

  @ChoiceField({
    description: 'What the call is for.',
    choices: ['turn', 'compaction', 'title', 'eval', 'advisor', 'other'],
    optional: true,
  })
  purpose: ModelCallPurpose = 'turn';

  @TextField({ description: 'Provider: anthropic, openai, …', charactersMax: 64, optional: true })
  provider?: string;

  @TextField({ description: 'The model asked for.', charactersMax: 128, optional: true })
  model?: string;

  @TextField({ description: 'The service tier asked for.', charactersMax: 64, optional: true })
  tier?: string;

  @NumberField({
    description:
      'Tokens of the prompt: `estimatedTokens` of the context. Budgets hold it, and where the ' +
      'provider counts more, later estimates for the model are higher. Default of budgets: what ' +
      'the conversation had after the last answer.',
    min: 0,
    max: 100_000_000,
    optional: true,
  })
  inputTokens?: number;

  @NumberField({
    description:
      'The most output that you ask the provider for: what budgets hold for it. Default: 4096.',
    min: 0,
    max: 100_000_000,
    optional: true,
  })
  maxOutputTokens?: number;

  @NumberField({
    description:
      'How long its answer may take, in milliseconds. Default: 600000. A run whose owner records ' +
      'nothing after that is quarantined (budget `noProgress`).',
    min: 1_000,
    max: MODEL_CALL_TIMEOUT_MS_MAX,
    optional: true,
  })
  timeoutMs?: number;

  @TextField({
    description: 'From the context that is sent: `contextId`.',
    charactersMax: 128,
    optional: true,
  })
  contextId?: string;

  @NumberField({
    description: 'From the context that is sent: `inputRevision`. Default: now.',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    optional: true,
  })
  inputRevision?: number;

  @IdListField({
    description: 'From the context that is sent: `delivers`. These waiting inputs become messages.',
    itemsMax: DELIVERIES_AT_ONCE_MAX,
    optional: true,
  })
  delivers: string[] = [];
}
