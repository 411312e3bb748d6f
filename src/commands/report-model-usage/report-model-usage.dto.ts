import type { Json } from '../../domain/content.js';
import type { UsageState } from '../../domain/usage.js';
import { ChoiceField, IdField, JsonField, TextField } from '../dto/fields.js';

export class ReportModelUsageBody {
  @JsonField({
    description: "The provider's response body, or its usage object as {usage}.",
  })
  response: Json;

  @ChoiceField({
    description:
      "final: the provider's last word. partial: counts from before the end, a lower bound. " +
      'estimated: counted by a program that `method` names.',
    choices: ['final', 'partial', 'estimated'],
    optional: true,
  })
  state: Exclude<UsageState, 'unknown'> = 'final';

  @TextField({ description: 'How an estimate was made.', charactersMax: 64, optional: true })
  method?: string;

  @TextField({
    description: "The provider's id of the response, when the body does not name it.",
    charactersMax: 256,
    optional: true,
  })
  responseId?: string;

  @TextField({ description: 'The model that answered.', charactersMax: 128, optional: true })
  model?: string;

  @TextField({
    description: 'Shape of the body, when it cannot be seen: messages, chat, …',
    charactersMax: 64,
    optional: true,
  })
  api?: string;

  @IdField({ description: 'Who counted. Default: the sender.', optional: true })
  reporter?: string;
}
