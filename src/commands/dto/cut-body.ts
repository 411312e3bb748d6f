import { ChoiceField, IdField, NumberField } from './fields.js';

/** Names a place of a session's history: a revision, or a message of the conversation. */
export class CutBody {
  @NumberField({
    description: 'The last revision that stays. Give this or `messageId`.',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    optional: true,
  })
  at?: number;

  @IdField({
    description:
      'Of a fork: the ancestor whose revision `at` is. Default: the session that is named in the path.',
    optional: true,
  })
  atSession?: string;

  @IdField({
    description: "A message of the conversation, a user's or an answer; see `side`.",
    optional: true,
  })
  messageId?: string;

  @ChoiceField({
    description:
      'before: what comes before the message stays. through: the message stays too, an answer with ' +
      'the results of its tool calls. With `at`: a revision between an answer and the results of ' +
      'its calls is moved to the start or the end of that group; by default it stays where it is.',
    choices: ['before', 'through'],
    optional: true,
  })
  side?: 'before' | 'through';
}
