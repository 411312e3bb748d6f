import type { Format } from '../format.js';
import type { OpenAiResponsesOptions } from '../options.js';
import { syntheticOutput } from './items.js';
import { readResponses, type ItemPieces } from './read.js';
import { RESPONSES_IDS, validateResponses } from './validate.js';
import { placeOutputs, writeResponses } from './write.js';

/** `input` items of the Responses API. */
export const openAiResponses: Format<OpenAiResponsesOptions, ItemPieces> = {
  emptyRule: 'R0',
  emptyKind: 'empty_history',
  pairing: { missing: 'R1', orphan: 'R2', duplicate: 'R12' },
  idRules: { illegal: 'R11', duplicate: 'R13' },
  idRule: () => RESPONSES_IDS,
  validate: validateResponses,
  userMessage: (text) => ({
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text }],
  }),
  read: readResponses,
  place: placeOutputs,
  synthesize: (call, text, reason) => syntheticOutput(call.source, text, reason),
  reservedIds: (options) => options.serverKnownCallIds ?? [],
  write: writeResponses,
  finish: (history) => [...history],
};
