import canonicalize from 'canonicalize';
import type { ArtifactLink, InputBlock, Json, MediaBlock } from '../domain/content.js';
import {
  argumentsPreview,
  beginningOf,
  inputPreview,
  resultPreview,
} from '../domain/content-preview.js';
import type { ResultScope, ResultStatus, ToolResult } from '../domain/events/tool-events.js';
import type { SessionHash } from '../tokens.js';
import { type ArtifactOwner, type ArtifactStore, readArtifact } from '../storage/artifact-store.js';

/** Content of one event, as JSON: leaves room for the rest of it and for the batch. */
export const CONTENT_BYTES_MAX = 150 * 1024;
/** Data beside an answer is kept in the event only when it is short; the raw record has it all. */
const DETAILS_BYTES_MAX = 16 * 1024;

/** Turns content of a log into what events may hold: large or binary parts become artifacts. */
export class SessionContent {
  constructor(
    private readonly artifacts: ArtifactStore,
    private readonly hash: SessionHash,
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

  /** Content over the limit is an artifact, and the event holds its beginning. */
  async fitInput(content: readonly InputBlock[]): Promise<{
    readonly content: readonly InputBlock[];
    readonly artifact?: ArtifactLink;
  }> {
    if (jsonBytes(content) <= CONTENT_BYTES_MAX) return { content };
    const artifact = await this.keep(JSON.stringify(content), 'application/json');
    return { content: inputPreview(content, artifact), artifact };
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
    return { result: { isError, content: resultPreview(content), artifact }, resultHash };
  }

  /** Arguments over the limit keep the beginnings of their texts. */
  async args(args: Json): Promise<{
    readonly args?: Json;
    readonly argsText?: string;
    readonly argsArtifact?: ArtifactLink;
  }> {
    if (jsonBytes(args) <= CONTENT_BYTES_MAX) return { args };
    const argsArtifact = await this.keep(JSON.stringify({ args }), 'application/json');
    const short = argumentsPreview(args, argsArtifact, CONTENT_BYTES_MAX);
    return short === undefined
      ? { argsText: beginningOf(JSON.stringify(args)), argsArtifact }
      : { args: short, argsArtifact };
  }

  argsHash(args: Json): string {
    return this.hashOf(args);
  }

  private hashOf(value: unknown): string {
    return this.hash(canonicalize(value) ?? 'null');
  }
}

export function jsonBytes(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
}
