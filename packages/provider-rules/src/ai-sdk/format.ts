import type { Format } from '../format.js';
import type { AiSdkOptions } from '../options.js';
import { isErrorReason } from '../texts.js';
import { readAiSdk, type AiSdkPiece } from './read.js';
import { validateAiSdk } from './validate.js';
import { writeAiSdk } from './write.js';

/** `ModelMessage[]` of the Vercel AI SDK, versions 5 to 7. */
export const aiSdk: Format<AiSdkOptions, readonly AiSdkPiece[]> = {
  emptyRule: 'V3',
  emptyKind: 'empty_history',
  pairing: { missing: 'V1', orphan: 'V2', duplicate: 'V2' },
  idRules: { illegal: 'V4', duplicate: 'V4' },
  idRule: () => ({}),
  validate: validateAiSdk,
  userMessage: (text) => ({ role: 'user', content: text }),
  read: readAiSdk,
  synthesize: (call, text, reason) => ({
    type: 'tool-result',
    toolCallId: call.id,
    toolName: call.name ?? '',
    output: { type: isErrorReason(reason) ? 'error-text' : 'text', value: text },
  }),
  write: (draft, _options, log) => writeAiSdk(draft, log),
  finish: (history) => [...history],
};
