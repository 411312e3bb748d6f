import type { GivenBlock } from '../../record-assistant-message/assistant-blocks.js';
import {
  type Fields,
  argumentsOf,
  fieldsOf,
  isFields,
  listOf,
  textOf,
  textWithFields,
  toolCall,
} from './response-fields.js';

/** Blocks of the first candidate of a generateContent body; undefined for another shape. */
export function geminiBlocks(body: Fields): readonly GivenBlock[] | undefined {
  const candidate = Array.isArray(body.candidates) ? body.candidates[0] : undefined;
  if (!isFields(candidate)) return undefined;
  // A candidate that was cut off by a filter has no content.
  return listOf(fieldsOf(candidate.content).parts).flatMap(blocksOf);
}

/** A call keeps its part: the signature is beside it, and a missing id stays missing. */
function blocksOf(part: Fields): readonly GivenBlock[] {
  const { functionCall } = part;
  if (isFields(functionCall)) {
    const { id, name, args = {} } = functionCall;
    const call = { tool: textOf(name) ?? '', providerCallId: textOf(id), ...argumentsOf(args) };
    return [toolCall(call, part)];
  }
  const { text, ...fields } = part;
  const isText = typeof text === 'string' && text.trim() !== '' && part.thought !== true;
  if (!isText) return [{ type: 'provider', block: part }];
  const isPlainText = Object.keys(fields).every((name) => name === 'thoughtSignature');
  return isPlainText ? textWithFields(text, fields, []) : [{ type: 'provider', block: part }];
}
