import canonicalize from 'canonicalize';
import type { ArtifactLink, InputBlock, Json, MediaBlock, TextBlock } from '../domain/content.js';
import type { ResultScope, ResultStatus, ToolResult } from '../domain/events/tool-events.js';
import { type ArtifactOwner, type ArtifactStore, readArtifact } from '../storage/artifact-store.js';

/** HMAC-SHA-256 with the session's own key, hex. */
export type ImportHash = (
  tenantId: string,
  sessionId: string,
  content: string | Uint8Array,
) => string;

/** Content of one event, as JSON: leaves room for the rest of it and for the batch. */
export const CONTENT_BYTES_MAX = 150 * 1024;
/** Data beside an answer is kept in the event only when it is short; the raw record has it all. */
const DETAILS_BYTES_MAX = 16 * 1024;
const PREVIEW_CHARACTERS = 2_000;

/** Turns content of a log into what events may hold: large or binary parts become artifacts. */
export class SessionContent {
  constructor(
    private readonly artifacts: ArtifactStore,
    private readonly hash: ImportHash,
    readonly owner: ArtifactOwner,
  ) {}

  keep(content: string | Uint8Array, mediaType: string): Promise<ArtifactLink> {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    return this.artifacts.put(this.owner, bytes, mediaType);
  }

  read(hash: string): Promise<Uint8Array | undefined> {
    return readArtifact(this.artifacts, this.owner, hash);
  }

  async media(
    type: MediaBlock['type'],
    mediaType: string,
    base64: string,
    name?: string,
  ): Promise<MediaBlock> {
    const artifact = await this.keep(Buffer.from(base64, 'base64'), mediaType);
    return { type, mediaType, artifact, ...(name === undefined ? {} : { name }) };
  }

  /** Long texts keep their beginning and become documents when all of it does not fit. */
  async fitInput(blocks: readonly InputBlock[]): Promise<readonly InputBlock[]> {
    if (jsonBytes(blocks) <= CONTENT_BYTES_MAX) return blocks;
    const fitted: InputBlock[] = [];
    for (const block of blocks) {
      if (block.type !== 'text' || block.text.length <= PREVIEW_CHARACTERS) {
        fitted.push(block);
        continue;
      }
      const artifact = await this.keep(block.text, 'text/plain; charset=utf-8');
      const preview: TextBlock = { type: 'text', text: previewOf(block.text) };
      fitted.push(preview, { type: 'document', mediaType: 'text/plain', artifact });
    }
    return jsonBytes(fitted) <= CONTENT_BYTES_MAX ? fitted : this.asDocument(fitted);
  }

  /** The whole answer is hashed, whatever is stored of it where. */
  async toolResult(
    answer: {
      readonly isError: boolean;
      readonly content: ToolResult['content'];
      readonly details?: Json;
    },
    status: ResultStatus,
    scope: ResultScope | undefined,
  ): Promise<{ readonly result: ToolResult; readonly resultHash: string }> {
    const { isError, content } = answer;
    const details = jsonBytes(answer.details) <= DETAILS_BYTES_MAX ? answer.details : undefined;
    const resultHash = this.hashOf({ status, scope, isError, content, details });
    const inline = { isError, content, ...(details === undefined ? {} : { details }) };
    if (jsonBytes(inline) <= CONTENT_BYTES_MAX) return { result: inline, resultHash };
    const artifact = await this.keep(JSON.stringify({ content, details }), 'application/json');
    return { result: { isError, content: previewOf(plainOf(content)), artifact }, resultHash };
  }

  /** Arguments over the limit keep the beginnings of their texts. */
  async args(args: Json): Promise<{ readonly args?: Json; readonly argsText?: string }> {
    if (jsonBytes(args) <= CONTENT_BYTES_MAX) return { args };
    const text = JSON.stringify(args);
    const { hash } = await this.keep(text, 'application/json');
    const note = ` … [${text.length} characters in all: artifact ${hash}]`;
    const short = withShortTexts(args, note);
    return jsonBytes(short) <= CONTENT_BYTES_MAX
      ? { args: short }
      : { argsText: text.slice(0, PREVIEW_CHARACTERS) + note };
  }

  argsHash(args: Json): string {
    return this.hashOf(args);
  }

  private hashOf(value: unknown): string {
    return this.hash(this.owner.tenantId, this.owner.sessionId, canonicalize(value) ?? 'null');
  }

  private async asDocument(blocks: readonly InputBlock[]): Promise<readonly InputBlock[]> {
    const artifact = await this.keep(JSON.stringify(blocks), 'application/json');
    return [
      { type: 'text', text: previewOf(plainOf(blocks)) },
      { type: 'document', mediaType: 'application/json', artifact },
    ];
  }
}

export function jsonBytes(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
}

/** The beginning of a text; a surrogate pair is not cut in two. */
export function previewOf(text: string, characters = PREVIEW_CHARACTERS): string {
  if (text.length <= characters) return text;
  const last = text.charCodeAt(characters - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? characters - 1 : characters);
}

function plainOf(content: ToolResult['content']): string {
  if (typeof content === 'string') return content;
  return content
    .map((block) => (block.type === 'text' ? block.text : `[${block.type}]`))
    .join('\n');
}

function withShortTexts(value: Json, note: string): Json {
  if (typeof value === 'string') {
    return value.length <= PREVIEW_CHARACTERS ? value : previewOf(value) + note;
  }
  if (Array.isArray(value)) return value.map((item: Json) => withShortTexts(item, note));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, withShortTexts(member as Json, note)]),
  );
}
