import type { AssistantBlock, InputBlock, Json, ToolContent } from '../domain/content.js';

/** Characters of the longest preview. */
export const PREVIEW_CHARACTERS_MAX = 120;

/** The beginning of a text on one line, never half a character. */
export function previewOf(text: string, charactersMax = PREVIEW_CHARACTERS_MAX): string {
  const line = text
    .slice(0, charactersMax * 3)
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= charactersMax) return line;
  const end = isHighSurrogate(line.charCodeAt(charactersMax - 2))
    ? charactersMax - 2
    : charactersMax - 1;
  return `${line.slice(0, end)}…`;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** The first words that a person would read. */
export function textOf(blocks: readonly (InputBlock | AssistantBlock)[]): string {
  for (const block of blocks) {
    if (block.type === 'text' && block.text.trim() !== '') return block.text;
  }
  const media = blocks.find((block) => block.type === 'image' || block.type === 'document');
  return media === undefined ? '' : `[${media.type}]`;
}

/** Bytes of the content itself, artifacts included; without the JSON around it. */
export function contentBytes(content: ToolContent | readonly AssistantBlock[]): number {
  if (typeof content === 'string') return Buffer.byteLength(content);
  let bytes = 0;
  for (const block of content) bytes += blockBytes(block);
  return bytes;
}

function blockBytes(block: InputBlock | AssistantBlock): number {
  switch (block.type) {
    case 'text':
      return Buffer.byteLength(block.text);
    case 'image':
    case 'document':
      return block.artifact?.sizeBytes ?? block.base64?.length ?? 0;
    case 'provider':
      return jsonBytes(block.block);
    case 'toolCall':
      return block.block === undefined ? 0 : jsonBytes(block.block);
    default:
      return 0;
  }
}

function jsonBytes(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value));
}
