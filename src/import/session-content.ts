import { isUtf8 } from 'node:buffer';
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
import { type Redactor, maskedInPlace } from '../redaction/redactor.js';
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
    private readonly redactor?: Redactor,
  ) {}

  /** The text of records, which others point into: what is masked in it keeps its length. */
  keepRaw(text: string, mediaType: string): Promise<ArtifactLink> {
    const { redactor } = this;
    return this.put(redactor === undefined ? text : maskedInPlace(text, redactor), mediaType);
  }

  keep(content: string | Uint8Array, mediaType: string): Promise<ArtifactLink> {
    return this.put(typeof content === 'string' ? this.masked(content) : content, mediaType);
  }

  /** An artifact of a session that was exported: its text is masked like any other. */
  keepAgain(bytes: Buffer, mediaType: string): Promise<ArtifactLink> {
    if (this.redactor === undefined || !isUtf8(bytes)) return this.put(bytes, mediaType);
    const text = bytes.toString('utf8');
    return mediaType === 'application/x-ndjson'
      ? this.keepRaw(text, mediaType)
      : this.keep(text, mediaType);
  }

  private masked<Value>(value: Value): Value {
    return this.redactor?.redact(value).value ?? value;
  }

  private put(content: string | Uint8Array, mediaType: string): Promise<ArtifactLink> {
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
    return { content: inputPreview(this.masked(content), artifact), artifact };
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
    const preview = resultPreview(this.masked(content));
    return { result: { isError, content: preview, artifact }, resultHash };
  }

  /** Arguments over the limit keep the beginnings of their texts. */
  async args(args: Json): Promise<{
    readonly args?: Json;
    readonly argsText?: string;
    readonly argsArtifact?: ArtifactLink;
  }> {
    if (jsonBytes(args) <= CONTENT_BYTES_MAX) return { args };
    const argsArtifact = await this.keep(JSON.stringify({ args }), 'application/json');
    const masked = this.masked(args);
    const short = argumentsPreview(masked, argsArtifact, CONTENT_BYTES_MAX);
    return short === undefined
      ? { argsText: beginningOf(JSON.stringify(masked)), argsArtifact }
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
