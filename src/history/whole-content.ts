import type { ArtifactLink, Json, MediaBlock } from '../domain/content.js';
import type { ResolvedArtifact } from '../context/context-source.js';
import { type HistoryRecord, isObject } from '../context/history-record.js';
import { type ArtifactOwner, type ArtifactStore, readArtifact } from '../storage/artifact-store.js';

/** What one context reads of artifacts at most, newest first; older ones stay previews. */
export const CONTEXT_ARTIFACT_BYTES_MAX = 64 * 1024 * 1024;
/** Of contents that were read lately, an agent's next request needs nearly all again. */
const RECENT_BYTES_MAX = 32 * 1024 * 1024;
/** What a model can be sent as bytes; anything else is named in the text. */
const SENT_MEDIA = /^(image\/(jpeg|png|gif|webp)|application\/pdf)$/;

export interface WholeRecords {
  readonly records: readonly HistoryRecord[];
  /** Bytes of the media that the records name. */
  readonly artifacts: ReadonlyMap<string, ResolvedArtifact>;
  /** Artifacts that are not there, or were over the limit. */
  readonly unread: readonly string[];
}

/** Puts the whole of what was too large for an event in the place of its preview. */
export class WholeContent {
  private readonly recent = new Map<string, Buffer>();
  private recentBytes = 0;

  constructor(private readonly artifacts: ArtifactStore) {}

  /**
   * @param lineage sessions whose artifacts the records may name.
   * @returns undefined when they name none.
   * @throws ArtifactDamagedError
   */
  async of(
    tenantId: string,
    records: readonly HistoryRecord[],
    lineage: readonly string[],
  ): Promise<WholeRecords | undefined> {
    if (!records.some(namesArtifact)) return undefined;
    const reading = new Reading((hash, owner) => this.read(tenantId, hash, [owner, ...lineage]));
    const whole: HistoryRecord[] = [];
    for (const record of [...records].reverse()) whole.push(await reading.whole(record));
    return { records: whole.reverse(), artifacts: reading.media, unread: reading.unread };
  }

  /** Drops what is in memory of the session's artifacts. */
  forget({ tenantId, sessionId }: ArtifactOwner): void {
    const prefix = JSON.stringify([tenantId, sessionId]).slice(0, -1);
    for (const [key, bytes] of this.recent) {
      if (!key.startsWith(`${prefix},`)) continue;
      this.recent.delete(key);
      this.recentBytes -= bytes.length;
    }
  }

  private async read(
    tenantId: string,
    hash: string,
    sessionIds: readonly string[],
  ): Promise<Buffer | undefined> {
    for (const sessionId of new Set(sessionIds)) {
      const found = await this.readOf({ tenantId, sessionId }, hash);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private async readOf(owner: ArtifactOwner, hash: string): Promise<Buffer | undefined> {
    const key = JSON.stringify([owner.tenantId, owner.sessionId, hash]);
    const known = this.recent.get(key);
    this.recent.delete(key);
    const bytes = known ?? (await readArtifact(this.artifacts, owner, hash));
    if (bytes === undefined) return undefined;
    this.recent.set(key, bytes);
    if (known === undefined) this.recentBytes += bytes.length;
    for (const [oldest, content] of this.recent) {
      if (this.recentBytes <= RECENT_BYTES_MAX) break;
      this.recent.delete(oldest);
      this.recentBytes -= content.length;
    }
    return bytes;
  }
}

/** Reads for one list of records, from the newest to the oldest. */
class Reading {
  readonly media = new Map<string, ResolvedArtifact>();
  readonly unread: string[] = [];
  private bytes = 0;

  constructor(
    private readonly read: (hash: string, sessionId: string) => Promise<Buffer | undefined>,
  ) {}

  async whole(record: HistoryRecord): Promise<HistoryRecord> {
    if (!namesArtifact(record)) return record;
    const whole = await this.withWhole(record);
    for (const block of mediaIn(whole)) await this.resolve(block, record.sessionId);
    return whole;
  }

  private async withWhole(record: HistoryRecord): Promise<HistoryRecord> {
    const link = linkIn(record);
    const bytes = link && (await this.take(link, record.sessionId));
    const value = bytes && parsed(bytes);
    return value === undefined ? record : withContent(record, value);
  }

  private async resolve(block: MediaBlock, sessionId: string): Promise<void> {
    const { artifact, mediaType } = block;
    if (artifact === undefined || !SENT_MEDIA.test(mediaType)) return;
    if (this.media.has(artifact.hash)) return;
    const bytes = await this.take(artifact, sessionId);
    if (bytes !== undefined) this.media.set(artifact.hash, { base64: bytes.toString('base64') });
  }

  private async take(link: ArtifactLink, sessionId: string): Promise<Buffer | undefined> {
    const fits = this.bytes + link.sizeBytes <= CONTEXT_ARTIFACT_BYTES_MAX;
    const bytes = fits ? await this.read(link.hash, sessionId) : undefined;
    if (bytes === undefined) this.unread.push(link.hash);
    else this.bytes += bytes.length;
    return bytes;
  }
}

function namesArtifact(record: HistoryRecord): boolean {
  return linkIn(record) !== undefined || mediaIn(record).length > 0;
}

/** The link of the whole content of an event that holds its beginning only. */
function linkIn({ event }: HistoryRecord): ArtifactLink | undefined {
  switch (event.type) {
    case 'InputAccepted':
    case 'AssistantMessageRecorded':
      return event.data.artifact;
    case 'ToolCallRequested':
      return event.data.argsArtifact;
    case 'ToolResultRecorded':
    case 'ToolLateResultReceived':
      return event.data.result?.artifact;
    default:
      return undefined;
  }
}

function mediaIn({ event }: HistoryRecord): readonly MediaBlock[] {
  switch (event.type) {
    case 'InputAccepted':
      return mediaOf(event.data.content);
    case 'ToolResultRecorded':
    case 'ToolLateResultReceived':
      return mediaOf(event.data.result?.content);
    default:
      return [];
  }
}

function mediaOf(content: unknown): readonly MediaBlock[] {
  if (!Array.isArray(content)) return [];
  return content.filter(
    (block): block is MediaBlock =>
      isObject(block) && isObject(block.artifact) && typeof block.mediaType === 'string',
  );
}

function withContent(record: HistoryRecord, whole: Json): HistoryRecord {
  const { event } = record;
  const data = event.data as object;
  const { result } = data as { readonly result?: object };
  const changed = ((): object => {
    switch (event.type) {
      case 'InputAccepted':
        return { ...data, content: whole, artifact: undefined };
      case 'AssistantMessageRecorded':
        return { ...data, blocks: whole, artifact: undefined };
      case 'ToolCallRequested':
        return { ...data, argsText: undefined, ...(whole as object), argsArtifact: undefined };
      default:
        return { ...data, result: { ...result, ...(whole as object), artifact: undefined } };
    }
  })();
  return { ...record, event: { ...event, data: changed } as HistoryRecord['event'] };
}

function parsed(bytes: Buffer): Json | undefined {
  try {
    return JSON.parse(bytes.toString('utf8')) as Json;
  } catch {
    return undefined;
  }
}
