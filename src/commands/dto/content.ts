import { jsonFault } from './json-value.js';
import type { InputBlock } from '../../domain/content.js';

export const INPUT_TEXT_BYTES_MAX = 512 * 1024;
const BLOCKS_MAX = 256;

/** What is wrong with the content of an input or a tool result; undefined when it is right. */
export function contentFault(value: unknown): string | undefined {
  if (typeof value === 'string') return undefined;
  if (!Array.isArray(value)) return 'must be a text or a list of blocks';
  if (value.length > BLOCKS_MAX) return `must have at most ${BLOCKS_MAX} blocks`;
  for (const [index, block] of value.entries()) {
    const fault = blockFault(block);
    if (fault !== undefined) return `block ${index} ${fault}`;
  }
  return undefined;
}

/** As `contentFault`, and something must be said. */
export function inputContentFault(value: unknown): string | undefined {
  const fault = contentFault(value);
  if (fault !== undefined) return fault;
  const size = Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value));
  if (size > INPUT_TEXT_BYTES_MAX) return `must be at most ${INPUT_TEXT_BYTES_MAX} bytes`;
  return (value as string | readonly unknown[]).length === 0 ? 'must not be empty' : undefined;
}

function blockFault(block: unknown): string | undefined {
  if (typeof block !== 'object' || block === null) return 'must be an object';
  const { type } = block as { type?: unknown };
  if (type === 'text') {
    const { text } = block as { text?: unknown };
    return typeof text === 'string' ? onlyKeys(block, TEXT_KEYS) : 'needs a "text"';
  }
  if (type === 'image' || type === 'document') return mediaFault(block as Record<string, unknown>);
  return 'must have the type text, image or document';
}

const TEXT_KEYS = ['type', 'text'];
const MEDIA_KEYS = ['type', 'mediaType', 'url', 'base64', 'artifact', 'name'];

function mediaFault(block: Record<string, unknown>): string | undefined {
  if (typeof block.mediaType !== 'string') return 'needs a "mediaType"';
  const sources = [block.url, block.base64, block.artifact].filter(
    (source) => source !== undefined,
  );
  if (sources.length !== 1) return 'needs exactly one of "url", "base64" and "artifact"';
  return onlyKeys(block, MEDIA_KEYS) ?? artifactFault(block.artifact) ?? jsonFault(block);
}

const ARTIFACT_KEYS = ['hash', 'sizeBytes', 'mediaType'];

function artifactFault(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const { hash, sizeBytes, mediaType } = (value ?? {}) as Record<string, unknown>;
  const isWhole =
    typeof hash === 'string' && Number.isSafeInteger(sizeBytes) && typeof mediaType === 'string';
  if (!isWhole) return 'needs an "artifact" as the upload answered it: hash, sizeBytes, mediaType';
  return onlyKeys(value as object, ARTIFACT_KEYS);
}

function onlyKeys(block: object, known: readonly string[]): string | undefined {
  const unknown = Object.keys(block).find((key) => !known.includes(key));
  return unknown === undefined ? undefined : `has an unknown key "${unknown}"`;
}

/** Texts become one text block, so that what is stored has one shape. */
export function toInputBlocks(content: string | readonly InputBlock[]): readonly InputBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}
