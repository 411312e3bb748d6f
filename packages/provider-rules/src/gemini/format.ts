import type { Format } from '../format.js';
import type { JsonObject } from '../json.js';
import type { GeminiOptions } from '../options.js';
import type { RepairLog } from '../repair-log.js';
import { FIXED_STRINGS, isErrorReason } from '../texts.js';
import { callOf, lastUserText, partsOf, roleOf, unsignedCall, withSentinel } from './parts.js';
import { readGemini, type GeminiRun } from './read.js';
import { validateGemini } from './validate.js';
import { placeByPosition, writeGemini } from './write.js';

/** `contents` of generateContent. */
export const gemini: Format<GeminiOptions, readonly GeminiRun[]> = {
  emptyRule: 'G7',
  emptyKind: 'empty_contents',
  pairing: { missing: 'G3', orphan: 'G2', duplicate: 'G3' },
  idRules: { illegal: 'G11', duplicate: 'G11' },
  idRule: () => undefined,
  validate: validateGemini,
  userMessage: userContent,
  read: readGemini,
  place: placeByPosition,
  synthesize: (call, text, reason) => {
    const { id, name } = callOf(call.source)!;
    const named = { ...(id === undefined ? {} : { id }), ...(name === undefined ? {} : { name }) };
    const response = isErrorReason(reason) ? { error: text } : { output: text };
    return { functionResponse: { ...named, response } };
  },
  write: (draft, _options, log) => writeGemini(draft, log),
  finish: (history, options, log, end) =>
    withEnds(options.gemini3 ? withSignatures(history, log) : history, log, end),
};

function userContent(text: string): JsonObject {
  return { role: 'user', parts: [{ text }] };
}

/** G5: the sentinel takes the place of a signature that the log does not have. */
function withSignatures(history: readonly unknown[], log: RepairLog): unknown[] {
  const checkedAfter = lastUserText(history);
  return history.map((given, at) => {
    const content = given as JsonObject;
    const parts = partsOf(content);
    const unsigned = content.role === 'model' && at > checkedAfter ? unsignedCall(parts) : -1;
    if (unsigned === -1) return given;
    const reason = 'the first call of the content has no thought signature';
    log.add('G5', at, 'sentinel_signature', reason);
    const signed = parts.map((part, index) =>
      index === unsigned ? withSentinel(part as JsonObject) : part,
    );
    return { ...content, parts: signed };
  });
}

/** G8 and G9: ephemeral head and tail, for the request only. */
function withEnds(history: readonly unknown[], log: RepairLog, end: number): unknown[] {
  const ended = [...history];
  if (roleOf(history[0] as JsonObject) === 'model') {
    log.add('G9', 0, 'prepend_user', 'the first content must be of the user');
    ended.unshift(userContent(FIXED_STRINGS.conversationContinues));
  }
  if (roleOf(history.at(-1) as JsonObject) === 'model') {
    log.add('G8', end, 'append_ephemeral_user', 'the last content must be of the user');
    ended.push(userContent(FIXED_STRINGS.continue));
  }
  return ended;
}
