import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Parent } from '../../domain/events/session-events.js';
import { evolve } from '../../domain/evolve.js';
import { type SessionState, initialState } from '../../domain/state.js';
import type { ReadProgress } from '../open-log.js';
import { damaged, isRecord, readSessionFile } from './read-session-file.js';
import {
  type FileArtifact,
  type FileEvent,
  SESSION_ARTIFACTS_FOLDER,
  type SessionFileHeader,
  type SessionFileLine,
} from './session-file.js';

/** One session of a file that was read once. */
export interface SurveyedSession {
  readonly sessionId: string;
  readonly eventIds: readonly string[];
  readonly parent?: Parent;
  /** Where it stood when it was exported. */
  readonly state: SessionState;
}

interface SessionBeingRead {
  readonly eventIds: string[];
  parent?: Parent;
  state: SessionState;
}

export interface SurveyedFile {
  readonly file: string;
  readonly fileHash: string;
  readonly header: SessionFileHeader;
  /** In the order of the file: parents before their children. */
  readonly sessions: ReadonlyMap<string, SurveyedSession>;
  readonly lines: number;
}

const EVENT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const SHA256 = /^[0-9a-f]{64}$/;

/** Reads the whole file and its artifacts before anything is written. @throws ImportError */
export async function surveySessionFile(
  file: string,
  onProgress?: (progress: ReadProgress) => void,
): Promise<SurveyedFile> {
  const read = await readSessionFile(file, onProgress);
  const survey = new Survey(file);
  for await (const { line, number } of read.lines) await survey.take(line, number);
  return survey.done(read.fileHash());
}

/** The bytes of an artifact lie beside the file. */
export function artifactPath(file: string, { sha256 }: FileArtifact): string {
  return join(dirname(file), SESSION_ARTIFACTS_FOLDER, sha256);
}

class Survey {
  private header: SessionFileHeader | undefined;
  private readonly sessions = new Map<string, SessionBeingRead>();
  private readonly checked = new Set<string>();
  /** Whose lines are being read. */
  private current: string | undefined;
  private artifacts = 0;
  private events = 0;
  private lines = 0;

  constructor(private readonly file: string) {}

  async take(line: SessionFileLine, number: number): Promise<void> {
    this.lines = number;
    if ('holdfast' in line) this.header = line.holdfast;
    else if ('artifact' in line) await this.takeArtifact(line.artifact, number);
    else if ('event' in line) this.takeEvent(line.event, number);
    else this.checkCounts(line.end);
  }

  done(fileHash: string): SurveyedFile {
    const { file, header, lines } = this;
    const isLeftEmpty = this.current !== undefined && !this.sessions.has(this.current);
    if (header === undefined || isLeftEmpty || !this.sessions.has(header.sessionId)) {
      throw damaged(file, 'it does not hold the session that its header names');
    }
    const sessions = new Map(
      [...this.sessions].map(([sessionId, one]) => [sessionId, { sessionId, ...one }]),
    );
    return { file, fileHash, header, sessions, lines };
  }

  private async takeArtifact(artifact: FileArtifact, number: number): Promise<void> {
    this.artifacts += 1;
    const { sha256, sizeBytes, sessionId } = artifact;
    this.moveTo(sessionId, number);
    if (typeof sha256 !== 'string' || !SHA256.test(sha256)) {
      throw damaged(this.file, `line ${number} names no artifact`);
    }
    if (this.checked.has(sha256)) return;
    const path = artifactPath(this.file, artifact);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) throw damaged(this.file, `its artifact ${path} is missing`);
    const digest = createHash('sha256');
    if (found.size === sizeBytes) await pipeline(createReadStream(path), digest);
    if (found.size !== sizeBytes || digest.digest('hex') !== sha256) {
      throw damaged(this.file, `its artifact ${path} has other bytes`);
    }
    this.checked.add(sha256);
  }

  /** The lines of a session stand together, and it has events. */
  private moveTo(sessionId: string, number: number): void {
    const { current } = this;
    if (sessionId === current) return;
    const isLeftEmpty = current !== undefined && !this.sessions.has(current);
    if (isLeftEmpty || this.sessions.has(sessionId)) {
      throw damaged(this.file, `line ${number} belongs elsewhere`);
    }
    this.current = sessionId;
  }

  private takeEvent(event: FileEvent, number: number): void {
    const { sessionId, revision, eventId, recordedAt } = event;
    const isWhole =
      [sessionId, recordedAt, event.type].every((text) => typeof text === 'string') &&
      EVENT_ID.test(String(eventId)) &&
      isRecord(event.data) &&
      isRecord(event.metadata);
    if (!isWhole) throw damaged(this.file, `line ${number} is no whole event`);
    this.moveTo(sessionId, number);
    const known: SessionBeingRead = this.sessions.get(sessionId) ?? {
      eventIds: [],
      state: initialState,
    };
    if (revision !== known.eventIds.length) {
      throw damaged(this.file, `event ${known.eventIds.length} of ${sessionId} is missing`);
    }
    if (revision === 0) this.begin(event, known, number);
    known.state = this.after(known.state, event, number);
    known.eventIds.push(eventId);
    this.events += 1;
  }

  private begin(event: FileEvent, session: SessionBeingRead, number: number): void {
    if (event.type !== 'SessionStarted' || event.data.sessionId !== event.sessionId) {
      throw damaged(this.file, `line ${number} does not start session ${event.sessionId}`);
    }
    session.parent = event.data.parent;
    this.sessions.set(event.sessionId, session);
  }

  private after(state: SessionState, event: FileEvent, number: number): SessionState {
    try {
      return evolve(state, event);
    } catch (cause) {
      throw damaged(this.file, `line ${number} is no event of a session`, cause);
    }
  }

  private checkCounts(end: Extract<SessionFileLine, { readonly end: object }>['end']): void {
    const { events, artifacts } = this;
    const read = { sessions: this.sessions.size, events, artifacts };
    for (const name of ['sessions', 'events', 'artifacts'] as const) {
      if (read[name] === end[name]) continue;
      throw damaged(this.file, `it counts ${end[name]} ${name}, and ${read[name]} are in it`);
    }
  }
}
