import type { Json } from '../../domain/content.js';
import type { ModelCallOutcome } from '../../domain/events/model-events.js';
import { CheckedField, ChoiceField, JsonField, TextField } from '../dto/fields.js';
import { OwnedBody } from '../dto/owned-body.js';
import {
  type GivenBlock,
  assistantBlocksFault,
} from '../record-assistant-message/assistant-blocks.js';

export class SettleModelCallBody extends OwnedBody {
  @ChoiceField({
    description:
      'completed: the answer is whole. notSent: it provably never left. providerError: refused ' +
      'before any output. stopped: aborted on request.',
    choices: ['completed', 'notSent', 'providerError', 'stopped'],
    optional: true,
  })
  outcome: Exclude<ModelCallOutcome, 'interrupted'> = 'completed';

  @JsonField({
    description:
      "The provider's response body as it is. Message, tool calls, usage and cost are read from it.",
    optional: true,
  })
  response?: Json;

  @CheckedField({
    description: 'The message in neutral blocks, instead of `response`.',
    schema: { type: 'array', items: { type: 'object' }, maxItems: 512 },
    name: 'isAssistantBlocks',
    faultOf: assistantBlocksFault,
    optional: true,
  })
  message?: GivenBlock[];

  @JsonField({
    description: "The provider's usage object, when there is no `response`.",
    optional: true,
  })
  usage?: Json;

  @TextField({
    description: "The provider's id of the response; names the request for costs.",
    charactersMax: 256,
    optional: true,
  })
  responseId?: string;

  @TextField({ description: 'The model that answered.', charactersMax: 128, optional: true })
  model?: string;

  @TextField({
    description: 'Shape of `response` or `usage`, when it cannot be seen: messages, chat, …',
    charactersMax: 64,
    optional: true,
  })
  api?: string;

  @TextField({ description: "The provider's error.", charactersMax: 8_192, optional: true })
  error?: string;
}
