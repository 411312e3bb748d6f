import { readFile } from 'node:fs/promises';
import type { ArtifactLink, Json } from '../../domain/content.js';
import type { SessionEvent } from '../../domain/events.js';
import { childSessionId, derivedId } from '../../identity/derived-ids.js';
import { readArtifact } from '../../storage/artifact-store.js';
import { ImportError } from '../import-error.js';
import type { ImportedSession, LogReport } from '../import-report.js';
import type { ImportPorts } from '../log-format.js';
import { SessionContent } from '../session-content.js';
import { SessionWriter, StreamMovedError } from '../session-writer.js';
import { importedEvent } from './imported-event.js';
import { readSessionFile } from './read-session-file.js';
import { restEvents } from './rest-events.js';
import { type FileArtifact, type FileEvent, SESSION_FILE_VERSION } from './session-file.js';
import { FileReport } from './session-file-report.js';
import { type Standing, standingOf } from './standing.js';
import { type SurveyedFile, type SurveyedSession, artifactPath } from './survey-session-file.js';

/** @throws ImportError, before anything is written where that can be known. */
export async function importSessionFile(
  survey: SurveyedFile,
  ports: ImportPorts,
): Promise<LogReport> {
  const run = new SessionFileImport(survey, ports);
  try {
    return await run.run();
  } catch (error) {
    if (!(error instanceof StreamMovedError)) throw error;
    const { file } = survey;
    const message = `${file}: somebody else writes to one of its sessions; import it again later`;
    throw new ImportError('stream_contended', message, { file }, { cause: error });
  }
}

/** The session whose events are being written. */
interface OpenSession {
  readonly session: SurveyedSession;
  readonly standing: Standing;
  readonly writer: SessionWriter;
  readonly content: SessionContent;
  /** By the hash that an artifact had there. */
  readonly links: Map<string, ArtifactLink>;
  readonly waiting: ReadonlySet<string>;
  lastRecordedAt: string;
}

class SessionFileImport {
  private readonly ids = new Map<string, string>();
  private readonly standings = new Map<string, Standing>();
  private readonly imported: ImportedSession[] = [];
  private readonly report: FileReport;
  private open: OpenSession | undefined;

  constructor(
    private readonly survey: SurveyedFile,
    private readonly ports: ImportPorts,
  ) {
    this.report = new FileReport(survey);
  }

  async run(): Promise<LogReport> {
    await this.giveIds();
    for (const session of this.survey.sessions.values()) {
      this.standings.set(session.sessionId, await standingOf(session, this.place(session)));
    }
    const read = await readSessionFile(this.survey.file, this.ports.onProgress);
    for await (const { line } of read.lines) {
      if ('artifact' in line) await this.takeArtifact(line.artifact);
      if ('event' in line) await this.takeEvent(line.event);
    }
    await this.finish();
    return this.report.done(this.imported);
  }

  /** A child that its parent finds by the call that started it is found by the new one, too. */
  private async giveIds(): Promise<void> {
    for (const { sessionId, parent } of this.survey.sessions.values()) {
      const callId = parent?.spawningCallId;
      const isFound =
        callId !== undefined && childSessionId(parent!.sessionId, callId) === sessionId;
      const above = parent === undefined ? undefined : this.ids.get(parent.sessionId);
      const newId =
        isFound && above !== undefined && above !== parent!.sessionId
          ? () => childSessionId(above, callId)
          : undefined;
      this.ids.set(sessionId, await this.ports.ids.idOf(sessionId, newId));
    }
  }

  private readonly idOf = (sessionId: string): string => this.ids.get(sessionId) ?? sessionId;

  private place({ sessionId }: SurveyedSession) {
    const eventIdOf = (eventId: string) => this.eventIdOf(sessionId, eventId);
    return { ports: this.ports, sessionId: this.idOf(sessionId), eventIdOf };
  }

  /** The same session in the same tenant keeps the ids of its events: so it is recognised. */
  private eventIdOf(native: string, eventId: string): string {
    const { tenantId } = this.ports;
    const sessionId = this.idOf(native);
    const isSame = this.survey.header.tenantId === tenantId && sessionId === native;
    return isSame ? eventId : derivedId('exported-event', tenantId, sessionId, eventId);
  }

  private async takeArtifact(artifact: FileArtifact): Promise<void> {
    const { content, links, standing } = await this.at(artifact.sessionId);
    if (standing.isWhole) return;
    const bytes = await readFile(artifactPath(this.survey.file, artifact));
    const { mediaType, hash } = artifact;
    links.set(hash, await content.keepAgain(bytes, mediaType));
  }

  private async takeEvent(event: FileEvent): Promise<void> {
    const open = await this.at(event.sessionId);
    open.lastRecordedAt = event.recordedAt;
    this.report.count(event);
    if (event.revision < open.standing.events) return;
    const { metadata, sessionId, revision, eventId, recordedAt } = event;
    const { actor, commandType, commandId, correlationId, causationId } = metadata;
    const { redactions, redactionsCut } = metadata;
    const record = `${sessionId}/${revision}`;
    const recorded = { actor, commandType, commandId, at: recordedAt };
    await open.writer.add({
      key: eventId,
      record,
      events: [await this.translated(event, open)],
      eventId: this.eventIdOf(sessionId, eventId),
      kept: {
        correlationId,
        causationId,
        redactions,
        redactionsCut,
        source: metadata.source ?? { record, recorded },
      },
    });
  }

  private async translated(event: FileEvent, open: OpenSession): Promise<SessionEvent> {
    const { type, data, sessionId } = event;
    const { links, waiting } = open;
    const { fileHash } = this.survey;
    const formatVersion = String(SESSION_FILE_VERSION);
    const origin = { format: 'holdfast', formatVersion, nativeId: sessionId, fileHash };
    const as = { idOf: this.idOf, links, origin, waiting };
    const imported = importedEvent({ type, data } as SessionEvent, as);
    if (imported.type !== 'ToolCallRequested') return imported;
    const argsHash = open.content.argsHash(await this.wholeArguments(imported.data, open));
    return { ...imported, data: { ...imported.data, argsHash } };
  }

  /** Equal calls are known by a hash with the session's own key. */
  private async wholeArguments(
    data: Extract<SessionEvent, { readonly type: 'ToolCallRequested' }>['data'],
    open: OpenSession,
  ): Promise<Json> {
    const { argsArtifact, args, argsText } = data;
    const { artifacts } = this.ports;
    const bytes =
      argsArtifact && (await readArtifact(artifacts, open.content.owner, argsArtifact.hash));
    const whole = bytes
      ? (JSON.parse(bytes.toString('utf8')) as { readonly args?: Json; readonly argsText?: string })
      : { args, argsText };
    return whole.args ?? whole.argsText ?? {};
  }

  /** Sessions stand one after the other in the file. */
  private async at(native: string): Promise<OpenSession> {
    if (this.open?.session.sessionId === native) return this.open;
    await this.finish();
    const session = this.survey.sessions.get(native)!;
    const sessionId = this.idOf(native);
    const owner = { tenantId: this.ports.tenantId, sessionId };
    const redactor = await this.ports.redactorOf?.(owner);
    const hash = await this.ports.hasher(owner.tenantId, sessionId);
    this.open = {
      session,
      standing: this.standings.get(native)!,
      writer: await SessionWriter.open({ ...this.ports, redactor }, sessionId),
      content: new SessionContent(this.ports.artifacts, hash, owner, redactor),
      links: new Map(),
      waiting: new Set(session.state.pendingInputs.map(({ inputId }) => inputId)),
      lastRecordedAt: '',
    };
    return this.open;
  }

  private async finish(): Promise<void> {
    if (this.open === undefined) return;
    const { writer, session, lastRecordedAt } = this.open;
    const { state } = writer.known;
    if (state.imported && state.epoch === 0) {
      const events = restEvents(state, session.sessionId, lastRecordedAt);
      for (const event of events) {
        const key = `rest:${writer.known.revision + 1}`;
        await writer.add({ key, record: key, events: [event] });
      }
    }
    await writer.flush();
    const parentId = session.parent && this.idOf(session.parent.sessionId);
    this.imported.push({
      sessionId: writer.sessionId,
      nativeId: session.sessionId,
      ...(parentId === undefined ? {} : { parentId }),
      eventsAppended: writer.appended,
    });
    this.open = undefined;
  }
}
