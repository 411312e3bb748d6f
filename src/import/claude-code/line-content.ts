import type { AssistantBlock, InputBlock, Json, TextBlock } from '../../domain/content.js';
import { CONTENT_BYTES_MAX, type SessionContent, jsonBytes } from '../session-content.js';
import { type JsonObject, blocksOf, isObject, textOf } from './log-line.js';

const TEXT_PIECE_CHARACTERS = 30_000;

/** What a person typed or a tool answered: texts, images and documents. */
export async function mediaBlocks(
  blocks: readonly JsonObject[],
  content: SessionContent,
): Promise<readonly InputBlock[]> {
  const read: InputBlock[] = [];
  for (const block of blocks) read.push(await mediaBlock(block, content));
  return read;
}

async function mediaBlock(block: JsonObject, content: SessionContent): Promise<InputBlock> {
  const { type } = block;
  if (type === 'text') return { type: 'text', text: textOf(block['text']) ?? '' };
  const source = isObject(block['source']) ? block['source'] : undefined;
  if ((type !== 'image' && type !== 'document') || source === undefined) return asText(block);
  const fallback = type === 'image' ? 'image/png' : 'application/pdf';
  const mediaType = (textOf(source['media_type']) ?? fallback).slice(0, 100);
  const name = textOf(block['title'])?.slice(0, 200);
  const data = textOf(source['data']);
  if (source['type'] === 'base64' && data !== undefined) {
    return content.media(type, mediaType, data, name);
  }
  if (source['type'] === 'text' && data !== undefined) return { type: 'text', text: data };
  const url = textOf(source['url']);
  if (url === undefined || url.length > 4_000) return asText(block);
  return { type, mediaType, url, ...(name === undefined ? {} : { name }) };
}

/** A block that is not known here is shown as what it is. */
function asText(block: JsonObject): TextBlock {
  return { type: 'text', text: JSON.stringify(block) };
}

/** What a tool answered; a plain text stays one. */
export async function toolAnswer(
  result: JsonObject,
  content: SessionContent,
): Promise<string | readonly InputBlock[]> {
  const given = result['content'];
  if (typeof given === 'string') return given;
  if (given === undefined || given === null) return textOf(result['text']) ?? '';
  if (!Array.isArray(given)) return JSON.stringify(given);
  return mediaBlocks(blocksOf(result), content);
}

/** A model's block that is no tool call. Thinking is kept to the byte, its signature covers it. */
export function answerBlock(block: JsonObject): AssistantBlock {
  if (block['type'] !== 'text') return { type: 'provider', block: block as Json };
  return { type: 'text', text: typeof block['text'] === 'string' ? block['text'] : '' };
}

/** A text too long for one event as several blocks. */
export function withShortTexts(block: JsonObject): readonly JsonObject[] {
  const text = block['type'] === 'text' ? textOf(block['text']) : undefined;
  if (text === undefined || text.length <= TEXT_PIECE_CHARACTERS) return [block];
  return textPieces(text).map((piece) => ({ type: 'text', text: piece }));
}

/** True for a block that no event can hold: it stays in the raw record only. */
export function isOversize(block: JsonObject): boolean {
  return (
    block['type'] !== 'text' && block['type'] !== 'tool_use' && jsonBytes(block) > CONTENT_BYTES_MAX
  );
}

function textPieces(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + TEXT_PIECE_CHARACTERS, text.length);
    const last = text.charCodeAt(to - 1);
    // Not between the halves of a surrogate pair.
    if (to < text.length && last >= 0xd800 && last <= 0xdbff) to -= 1;
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}
