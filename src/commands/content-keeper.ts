import type {
  ArtifactLink,
  AssistantBlock,
  InputBlock,
  Json,
  MediaBlock,
  ToolContent,
} from '../domain/content.js';
import {
  argumentsPreview,
  beginningOf,
  inputPreview,
  messagePreview,
  resultPreview,
} from '../domain/content-preview.js';
import type { SessionEvent } from '../domain/events.js';
import type { ToolResult } from '../domain/events/tool-events.js';
import type { Redaction, RedactionPattern } from '../domain/redaction/redaction-policy.js';
import { Rejection } from '../domain/rejection.js';
import type { Redacted, Redactor } from '../redaction/redactor.js';
import type { ArtifactOwner, ArtifactStore } from '../storage/artifact-store.js';
import type { BatchRedaction } from './batch-in-making.js';

/** Inline media over this become artifacts, so that a picture is stored once. */
const MEDIA_CHARACTERS_MAX = 16 * 1024;
/** Nobody takes it for something to show. */
const WITHHELD_TYPE = 'application/vnd.holdfast.withheld';
/** Where an append is too large, whatever is larger than this leaves it. */
const CONTENT_BYTES_MAX = 16 * 1024;

/**
 * What of one request's content lies in artifacts. The makers of its commands ask for each content;
 * what turns out too large is kept, and the request is decided anew: then the events hold a preview
 * and the link of the whole (DESIGN §4).
 */
export class ContentKeeper {
  private readonly kept = new Map<string, KeptContent>();
  private readonly media = new Map<string, ArtifactLink>();
  /** Each with the call that it belongs to, if to one. */
  private readonly wishes = new Map<object, string | undefined>();
  private readonly newMedia = new Map<MediaBlock, string | undefined>();
  /** By call: what its tool's manifest masks. Known once the request was decided. */
  private readonly patterns = new Map<string, readonly RedactionPattern[]>();
  private readonly named = new Map<string, ArtifactLink>();
  /** What was masked in what was kept, by its address. */
  private readonly redactions = new Map<string, readonly Redaction[]>();

  /** @param redactor undefined: contents are kept as they come. */
  constructor(
    private readonly artifacts: ArtifactStore,
    private readonly owner: ArtifactOwner,
    private readonly redactor?: Redactor,
  ) {}

  /** For the events of the request. */
  get redaction(): BatchRedaction | undefined {
    const { redactor } = this;
    if (redactor === undefined) return undefined;
    const ofCall = (callId: string, patterns: readonly RedactionPattern[]): Redactor => {
      this.patterns.set(callId, patterns);
      return redactor.with(patterns);
    };
    return { redactor, ofCall, ofArtifactsIn: (event) => this.redactionsIn(event) };
  }

  input(given: readonly InputBlock[]): {
    readonly content: readonly InputBlock[];
    readonly artifact?: ArtifactLink;
  } {
    const content = this.withReferences(given);
    const kept = this.keptOf(content);
    if (kept === undefined) return { content };
    return { content: inputPreview(kept.content, kept.artifact), artifact: kept.artifact };
  }

  message(blocks: readonly AssistantBlock[]): {
    readonly blocks: readonly AssistantBlock[];
    readonly artifact?: ArtifactLink;
  } {
    const kept = this.keptOf(blocks);
    if (kept === undefined) return { blocks };
    return { blocks: messagePreview(kept.content), artifact: kept.artifact };
  }

  arguments(
    given: { readonly args?: Json; readonly argsText?: string },
    callId: string,
  ): {
    readonly args?: Json;
    readonly argsText?: string;
    readonly argsArtifact?: ArtifactLink;
  } {
    const kept = this.keptOf({ args: given.args, argsText: given.argsText }, callId);
    if (kept === undefined) return { args: given.args, argsText: given.argsText };
    const { args, argsText } = kept.content;
    const { artifact: argsArtifact } = kept;
    const short =
      args === undefined ? undefined : argumentsPreview(args, argsArtifact, CONTENT_BYTES_MAX);
    return short === undefined
      ? { argsText: beginningOf(argsText ?? JSON.stringify(args)), argsArtifact }
      : { args: short, argsArtifact };
  }

  result(
    { isError, content: given, details }: Omit<ToolResult, 'artifact'>,
    callId: string,
  ): ToolResult {
    const content: ToolContent =
      typeof given === 'string' ? given : this.withReferences(given, callId);
    const kept = this.keptOf({ content, details }, callId);
    if (kept === undefined) return { isError, content, details };
    return { isError, content: resultPreview(kept.content.content), artifact: kept.artifact };
  }

  /**
   * Content can name what was stored before, in this session or in what it inherited.
   * @throws Rejection `invalid_request`
   */
  async refuseUnknown(inherited: readonly { readonly sessionId: string }[]): Promise<void> {
    const { tenantId, sessionId } = this.owner;
    const sessionIds = new Set([sessionId, ...inherited.map((segment) => segment.sessionId)]);
    for (const { hash, sizeBytes } of this.named.values()) {
      const sizes = [...sessionIds].map(async (owner) => {
        const found = await this.artifacts.find({ tenantId, sessionId: owner }, hash);
        return found?.sizeBytes;
      });
      if ((await Promise.all(sizes)).includes(sizeBytes)) continue;
      const reason = `this session has no artifact ${hash} of ${sizeBytes} bytes; upload it first`;
      throw new Rejection('invalid_request', reason, { artifact: hash });
    }
    this.named.clear();
  }

  /** True if something was kept: the request has to be decided anew. */
  async keepApart(): Promise<boolean> {
    const hasMedia = await this.keepMedia();
    return (await this.keepWithheld()) || hasMedia;
  }

  /** What the tenant's own patterns had no time for is nowhere but in an artifact. */
  private async keepWithheld(): Promise<boolean> {
    const { withheld } = this.redactor ?? { withheld: new Map<string, string | undefined>() };
    const fresh = [...withheld].filter(([, artifact]) => artifact === undefined);
    for (const [text] of fresh) {
      withheld.set(text, (await this.keep(Buffer.from(text), WITHHELD_TYPE)).hash);
    }
    return fresh.length > 0;
  }

  private async keepMedia(): Promise<boolean> {
    for (const [block, callId] of this.newMedia) {
      const { base64: given = '', mediaType } = block;
      const { value, redactions } = this.redacted(block, callId);
      const artifact = await this.keep(Buffer.from(value.base64 ?? '', 'base64'), mediaType);
      this.media.set(given, artifact);
      this.redactions.set(artifact.hash, redactions);
    }
    return cleared(this.newMedia);
  }

  /** As `keepApart`, for an append that is too large. */
  async keepLarge(): Promise<boolean> {
    let isNew = false;
    for (const [content, callId] of this.wishes) {
      const text = JSON.stringify(content);
      if (this.kept.has(text) || Buffer.byteLength(text) <= CONTENT_BYTES_MAX) continue;
      const { value, redactions } = this.redacted(content, callId);
      const stored = Buffer.from(JSON.stringify(value));
      const artifact = await this.keep(stored, 'application/json');
      this.kept.set(text, { content: value, artifact });
      this.redactions.set(artifact.hash, redactions);
      isNew = true;
    }
    this.wishes.clear();
    return isNew;
  }

  private keep(content: Buffer, mediaType: string): Promise<ArtifactLink> {
    const { tenantId, sessionId } = this.owner;
    return this.artifacts.put({ tenantId, sessionId }, content, mediaType);
  }

  /** What of the content is stored apart, and where; undefined: it is not. */
  private keptOf<Content extends object>(
    content: Content,
    callId?: string,
  ): KeptContent<Content> | undefined {
    this.wishes.set(content, callId);
    if (this.kept.size === 0) return undefined;
    return this.kept.get(JSON.stringify(content)) as KeptContent<Content> | undefined;
  }

  private redacted<Value>(value: Value, callId: string | undefined): Redacted<Value> {
    const patterns = (callId !== undefined && this.patterns.get(callId)) || [];
    return this.redactor?.with(patterns).redact(value) ?? { value, redactions: [] };
  }

  private redactionsIn({ data }: SessionEvent): readonly Redaction[] {
    if (this.redactions.size === 0) return [];
    const found: Redaction[] = [];
    for (const [, hash] of JSON.stringify(data).matchAll(/"hash":"([0-9a-f]{64})"/g)) {
      for (const one of this.redactions.get(hash!) ?? []) {
        found.push({ ...one, path: `artifact:${hash}${one.path}` });
      }
    }
    return found;
  }

  private withReferences(blocks: readonly InputBlock[], callId?: string): readonly InputBlock[] {
    if (blocks.every((block) => block.type === 'text')) return blocks;
    return blocks.map((block) =>
      block.type === 'text' ? block : this.withReference(block, callId),
    );
  }

  private withReference(block: MediaBlock, callId: string | undefined): MediaBlock {
    const { base64, ...rest } = block;
    if (block.artifact !== undefined) this.named.set(block.artifact.hash, block.artifact);
    if (base64 === undefined || base64.length <= MEDIA_CHARACTERS_MAX) return block;
    const artifact = this.media.get(base64);
    if (artifact !== undefined) return { ...rest, artifact };
    if (isExact(base64)) this.newMedia.set(block, callId);
    return block;
  }
}

interface KeptContent<Content extends object = object> {
  readonly content: Content;
  readonly artifact: ArtifactLink;
}

/** Only what comes back as it was may be stored as bytes. */
function isExact(base64: string): boolean {
  return Buffer.from(base64, 'base64').toString('base64') === base64;
}

function cleared(waiting: Map<unknown, unknown>): boolean {
  const had = waiting.size > 0;
  waiting.clear();
  return had;
}
