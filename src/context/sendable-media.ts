import type { InputBlock, MediaBlock, ToolContent } from '../domain/content.js';
import { mediaName } from './content-guards.js';
import {
  type JsonObject,
  type MediaContent,
  type RenderInput,
  artifactLine,
  mediaContent,
} from './render.js';
import type { ShownCall } from './history-items.js';

const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

/** Media types that every provider with eyes takes; others would get the whole request refused. */
export function isSendable(block: MediaBlock, { mediaType }: MediaContent): boolean {
  return block.type === 'image' ? IMAGE_TYPES.includes(mediaType) : mediaType === 'application/pdf';
}

export type MediaWriter = (block: MediaBlock, content: MediaContent) => JsonObject;

export interface SentMedia {
  /** Undefined where the medium cannot be sent; then `text` names it. */
  readonly part?: JsonObject;
  readonly text: string;
}

/** A medium in the provider's shape, or its name in words. */
export function sentMedia(
  block: MediaBlock,
  { artifacts }: RenderInput,
  write: MediaWriter,
  isTaken: typeof isSendable = isSendable,
): SentMedia {
  const content = mediaContent(block, artifacts);
  const text = mediaName(block);
  return content === undefined || !isTaken(block, content)
    ? { text }
    : { part: write(block, content), text };
}

export function dataUrl(content: MediaContent): string {
  return 'base64' in content ? `data:${content.mediaType};base64,${content.base64}` : content.url;
}

/** A result as blocks, with the line that says where the whole of it is. */
export function resultBlocks(call: ShownCall): readonly InputBlock[] {
  const line = artifactLine(call);
  const blocks = blocksOf(call.result.content);
  return line === undefined ? blocks : [...blocks, { type: 'text', text: line }];
}

function blocksOf(content: ToolContent): readonly InputBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** For formats whose results are text only: the text, and the media that have to stand elsewhere. */
export function textAndMedia(
  call: ShownCall,
  input: RenderInput,
  write: MediaWriter,
  isTaken: typeof isSendable = isSendable,
): { readonly text: string; readonly attached: readonly JsonObject[] } {
  const texts: string[] = [];
  const attached: JsonObject[] = [];
  for (const block of resultBlocks(call)) {
    if (block.type === 'text') {
      texts.push(block.text);
      continue;
    }
    const { part, text } = sentMedia(block, input, write, isTaken);
    if (part === undefined) texts.push(text);
    else attached.push(part);
  }
  return { text: texts.join('\n'), attached };
}
