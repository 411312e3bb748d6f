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
import type { ToolResult } from '../domain/events/tool-events.js';
import { Rejection } from '../domain/rejection.js';
import type { ArtifactOwner, ArtifactStore } from '../storage/artifact-store.js';

/** Inline media over this become artifacts, so that a picture is stored once. */
const MEDIA_CHARACTERS_MAX = 16 * 1024;
/** Where an append is too large, whatever is larger than this leaves it. */
const CONTENT_BYTES_MAX = 16 * 1024;

/**
 * What of one request's content lies in artifacts. The makers of its commands ask for each content;
 * what turns out too large is kept, and the request is decided anew: then the events hold a preview
 * and the link of the whole (DESIGN §4).
 */
export class ContentKeeper {
  private readonly kept = new Map<string, ArtifactLink>();
  private readonly media = new Map<string, ArtifactLink>();
  private readonly wishes = new Set<object>();
  private readonly newMedia = new Set<MediaBlock>();
  private readonly named = new Map<string, ArtifactLink>();

  constructor(
    private readonly artifacts: ArtifactStore,
    private readonly owner: ArtifactOwner,
  ) {}

  input(given: readonly InputBlock[]): {
    readonly content: readonly InputBlock[];
    readonly artifact?: ArtifactLink;
  } {
    const content = this.withReferences(given);
    const artifact = this.linkOf(content);
    return artifact === undefined
      ? { content }
      : { content: inputPreview(content, artifact), artifact };
  }

  message(blocks: readonly AssistantBlock[]): {
    readonly blocks: readonly AssistantBlock[];
    readonly artifact?: ArtifactLink;
  } {
    const artifact = this.linkOf(blocks);
    return artifact === undefined ? { blocks } : { blocks: messagePreview(blocks), artifact };
  }

  arguments(given: { readonly args?: Json; readonly argsText?: string }): {
    readonly args?: Json;
    readonly argsText?: string;
    readonly argsArtifact?: ArtifactLink;
  } {
    const { args, argsText } = given;
    const argsArtifact = this.linkOf({ args, argsText });
    if (argsArtifact === undefined) return { args, argsText };
    const short =
      args === undefined ? undefined : argumentsPreview(args, argsArtifact, CONTENT_BYTES_MAX);
    return short === undefined
      ? { argsText: beginningOf(argsText ?? JSON.stringify(args)), argsArtifact }
      : { args: short, argsArtifact };
  }

  result({ isError, content: given, details }: Omit<ToolResult, 'artifact'>): ToolResult {
    const content: ToolContent = typeof given === 'string' ? given : this.withReferences(given);
    const artifact = this.linkOf({ content, details });
    return artifact === undefined
      ? { isError, content, details }
      : { isError, content: resultPreview(content), artifact };
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
  async keepMedia(): Promise<boolean> {
    for (const { base64 = '', mediaType } of this.newMedia) {
      this.media.set(base64, await this.keep(Buffer.from(base64, 'base64'), mediaType));
    }
    return cleared(this.newMedia);
  }

  /** As `keepMedia`, for an append that is too large. */
  async keepLarge(): Promise<boolean> {
    let isNew = false;
    for (const content of this.wishes) {
      const text = JSON.stringify(content);
      if (this.kept.has(text) || Buffer.byteLength(text) <= CONTENT_BYTES_MAX) continue;
      this.kept.set(text, await this.keep(Buffer.from(text), 'application/json'));
      isNew = true;
    }
    this.wishes.clear();
    return isNew;
  }

  private keep(content: Buffer, mediaType: string): Promise<ArtifactLink> {
    const { tenantId, sessionId } = this.owner;
    return this.artifacts.put({ tenantId, sessionId }, content, mediaType);
  }

  private linkOf(content: object): ArtifactLink | undefined {
    this.wishes.add(content);
    return this.kept.size === 0 ? undefined : this.kept.get(JSON.stringify(content));
  }

  private withReferences(blocks: readonly InputBlock[]): readonly InputBlock[] {
    if (blocks.every((block) => block.type === 'text')) return blocks;
    return blocks.map((block) => (block.type === 'text' ? block : this.withReference(block)));
  }

  private withReference(block: MediaBlock): MediaBlock {
    const { base64, ...rest } = block;
    if (block.artifact !== undefined) this.named.set(block.artifact.hash, block.artifact);
    if (base64 === undefined || base64.length <= MEDIA_CHARACTERS_MAX) return block;
    const artifact = this.media.get(base64);
    if (artifact !== undefined) return { ...rest, artifact };
    if (isExact(base64)) this.newMedia.add(block);
    return block;
  }
}

/** Only what comes back as it was may be stored as bytes. */
function isExact(base64: string): boolean {
  return Buffer.from(base64, 'base64').toString('base64') === base64;
}

function cleared(set: Set<unknown>): boolean {
  const had = set.size > 0;
  set.clear();
  return had;
}
