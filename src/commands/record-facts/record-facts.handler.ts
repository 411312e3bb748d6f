import {
  SessionRequest,
  type ToSessionCommands,
  handlerOf,
  identityOf,
  requiredKey,
} from '../session-command.js';
import type { RecordFactsBody } from './record-facts.dto.js';

export class RecordFacts extends SessionRequest<RecordFactsBody> {}

export const recordFacts: ToSessionCommands<RecordFactsBody> = (body, context) => [
  {
    type: 'RecordFacts',
    ...identityOf(context, requiredKey(context, 'recording facts'), body),
    facts: body.facts.map(({ factId, kind, text, retired }) => ({ factId, kind, text, retired })),
  },
];

export const RecordFactsHandler = handlerOf(RecordFacts, recordFacts);
