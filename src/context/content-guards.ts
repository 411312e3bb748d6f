import type {
  AssistantBlock,
  InputBlock,
  Json,
  MediaBlock,
  ToolContent,
} from '../domain/content.js';
import { isShallow } from './canonical-json.js';
import { isObject, isTextOrAbsent } from './history-record.js';

/** Recorded content, read so that nothing malformed comes further. */
export function inputBlocks(value: unknown): readonly InputBlock[] {
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  if (!Array.isArray(value)) return [];
  return value.filter((block): block is InputBlock => isText(block) || isMedia(block));
}

export function toolContent(value: unknown): ToolContent {
  return typeof value === 'string' ? value : inputBlocks(value);
}

export function assistantBlocks(value: unknown): readonly AssistantBlock[] {
  if (!Array.isArray(value)) return [];
  return value.filter(
    (block): block is AssistantBlock => isText(block) || isToolCall(block) || isProvider(block),
  );
}

function isText(block: unknown): boolean {
  return isObject(block) && block.type === 'text' && typeof block.text === 'string';
}

function isToolCall(block: unknown): boolean {
  return (
    isObject(block) &&
    block.type === 'toolCall' &&
    typeof block.ordinal === 'number' &&
    isShallow(block.block)
  );
}

function isProvider(block: unknown): boolean {
  return (
    isObject(block) &&
    block.type === 'provider' &&
    block.block !== undefined &&
    isShallow(block.block)
  );
}

function isMedia(block: unknown): boolean {
  return (
    isObject(block) &&
    (block.type === 'image' || block.type === 'document') &&
    typeof block.mediaType === 'string' &&
    [block.url, block.base64, block.name].every(isTextOrAbsent) &&
    isArtifactOrAbsent(block.artifact)
  );
}

function isArtifactOrAbsent(value: unknown): boolean {
  return value === undefined || (isObject(value) && typeof value.hash === 'string');
}

/** A provider's block as an object of fields; undefined for anything else. */
export function providerObject(block: Json): Readonly<Record<string, Json>> | undefined {
  return isObject(block) ? (block as Readonly<Record<string, Json>>) : undefined;
}

const REASONING_TYPES = ['thinking', 'redacted_thinking', 'reasoning'];

export function isReasoning(block: Json): boolean {
  const fields = providerObject(block);
  if (fields === undefined) return false;
  return fields.thought === true || REASONING_TYPES.some((type) => type === fields.type);
}

/** Thinking whose provider has not signed it yet: an interrupted answer leaves such blocks. */
export function isUnsignedThinking(block: Json): boolean {
  const fields = providerObject(block);
  return fields?.type === 'thinking' && typeof fields.signature !== 'string';
}

/** The text of a content, media named in place. */
export function plainTextOf(content: ToolContent): string {
  if (typeof content === 'string') return content;
  return content.map((block) => (block.type === 'text' ? block.text : mediaName(block))).join('\n');
}

/** What stands in a text where a medium cannot stand. */
export function mediaName(block: MediaBlock): string {
  const label = [block.mediaType, block.name].filter((part) => part !== undefined).join(', ');
  const where = block.artifact?.hash ?? block.url;
  return where === undefined ? `[${block.type}: ${label}]` : `[${block.type}: ${label}, ${where}]`;
}
