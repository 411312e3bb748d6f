import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ArtifactLink } from '../domain/content.js';
import type { SessionEventRecord } from '../domain/events.js';
import { sessionStream } from '../identity/derived-ids.js';
import {
  SESSION_ARTIFACTS_FOLDER,
  SESSION_FILE,
  SESSION_FILE_VERSION,
  type SessionFileCounts,
  type SessionFileHeader,
  type SessionFileLine,
  artifactLinksIn,
} from '../import/holdfast/session-file.js';
import { type ArtifactStore, readArtifact } from '../storage/artifact-store.js';
import type { EventCodec } from '../storage/event-codec.js';
import type { EventStore } from '../storage/event-store.js';
import { writeAsItComes } from '../storage/growing-file.js';
import { TransferError } from './transfer-file.js';

const PAGE_EVENTS = 500;

export interface ExportSessionOptions {
  /** Is made; an export that was broken off in it is begun anew. */
  readonly folder: string;
  readonly header: Omit<SessionFileHeader, 'version'>;
  /** The session of the header and what hangs under it, parents first. */
  readonly sessionIds: readonly string[];
  readonly events: EventStore;
  readonly artifacts: ArtifactStore;
  readonly codec: EventCodec;
}

export interface ExportedSessionFile extends SessionFileCounts {
  readonly bytes: number;
  /** SHA-256 of the file, hex. */
  readonly sha256: string;
}

/**
 * Writes the events of these sessions with their contents, and the artifacts that they point to.
 * @throws TransferError
 */
export async function exportSession(options: ExportSessionOptions): Promise<ExportedSessionFile> {
  const { folder } = options;
  const file = join(folder, SESSION_FILE);
  if (existsSync(file)) {
    throw new TransferError(`${folder} holds an exported session already; name another folder`);
  }
  await mkdir(join(folder, SESSION_ARTIFACTS_FOLDER), { recursive: true, mode: 0o700 });
  const work = new SessionExport(options);
  await writeAsItComes(file, work.lines());
  return work.written();
}

class SessionExport {
  private readonly digest = createHash('sha256');
  private bytes = 0;
  private events = 0;
  private artifacts = 0;

  constructor(private readonly options: ExportSessionOptions) {}

  written(): ExportedSessionFile {
    return { ...this.counts, bytes: this.bytes, sha256: this.digest.copy().digest('hex') };
  }

  async *lines(): AsyncGenerator<string, void, void> {
    const { header, sessionIds } = this.options;
    yield this.text({ holdfast: { version: SESSION_FILE_VERSION, ...header } });
    for (const sessionId of sessionIds) {
      for await (const line of this.session(sessionId)) yield this.text(line);
    }
    yield this.text({ end: { ...this.counts, sha256: this.digest.copy().digest('hex') } });
  }

  private get counts(): SessionFileCounts {
    const { events, artifacts } = this;
    return { sessions: this.options.sessionIds.length, events, artifacts };
  }

  private text(line: SessionFileLine): string {
    const text = `${JSON.stringify(line)}\n`;
    this.digest.update(text);
    this.bytes += Buffer.byteLength(text);
    return text;
  }

  /** As far as it has come when its turn is. */
  private async *session(sessionId: string): AsyncGenerator<SessionFileLine, void, void> {
    const { events, codec, header } = this.options;
    const stream = sessionStream(header.tenantId, sessionId);
    const head = await events.head(stream);
    const written = new Set<string>();
    for (let from = 0; head !== 'noStream' && from <= head;) {
      const page = await events.read(stream, { from, to: head, maxCount: PAGE_EVENTS });
      if (page.length === 0) break;
      for (const stored of page) yield* this.linesOf(codec.decode(stored), written);
      from += page.length;
    }
  }

  private async *linesOf(
    record: SessionEventRecord,
    written: Set<string>,
  ): AsyncGenerator<SessionFileLine, void, void> {
    const { sessionId, revision, eventId, recordedAt, metadata, event } = record;
    refuseUnfit(event, sessionId);
    for (const link of artifactLinksIn(event.data)) {
      if (written.has(link.hash)) continue;
      written.add(link.hash);
      yield* this.artifact(sessionId, link);
    }
    this.events += 1;
    yield { event: { sessionId, revision, eventId, recordedAt, ...event, metadata } };
  }

  /** Named by its own bytes, so that nobody needs a key to see that they are the right ones. */
  private async *artifact(
    sessionId: string,
    { hash, mediaType }: ArtifactLink,
  ): AsyncGenerator<SessionFileLine, void, void> {
    const { artifacts, header, folder } = this.options;
    const owner = { tenantId: header.tenantId, sessionId };
    const content = await readArtifact(artifacts, owner, hash);
    if (content === undefined) return;
    const sha256 = createHash('sha256').update(content).digest('hex');
    const file = join(folder, SESSION_ARTIFACTS_FOLDER, sha256);
    await writeAsItComes(file, Readable.from([content]));
    this.artifacts += 1;
    yield { artifact: { sessionId, hash, sizeBytes: content.length, mediaType, sha256 } };
  }
}

/** @throws TransferError */
function refuseUnfit({ type, data }: SessionEventRecord['event'], sessionId: string): void {
  if (type === 'SessionErased') {
    throw new TransferError(`session ${sessionId} was erased: there is nothing left to export`);
  }
  if (type !== 'Forked') return;
  throw new TransferError(
    `session ${sessionId} is a fork of ${data.parentId} and shows events of it by reference, which ` +
      'an export of one session does not hold; export the whole store, without --session',
  );
}
