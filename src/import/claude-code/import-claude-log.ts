import type { EventOf } from '../../domain/events.js';
import type { ImportedSession, LogReport } from '../import-report.js';
import type { ImportPorts } from '../log-format.js';
import { openLog } from '../open-log.js';
import { SessionContent } from '../session-content.js';
import { SessionWriter, StreamMovedError } from '../session-writer.js';
import { ImportError } from '../import-error.js';
import { agentTypeBeside } from './agent-type.js';
import { type ChildPlace, FirstEvents } from './first-events.js';
import { logReport } from './log-report.js';
import { LogWalk } from './log-walk.js';
import { SessionTranslator } from './session-translator.js';
import { SpawnCalls } from './spawning-call.js';
import { type SurveyedLog, chainId } from './survey-log.js';

/** How often an import begins anew because somebody else wrote to the session meanwhile. */
const TRIES_MAX = 5;

/**
 * Appends what the sessions of the file do not hold yet, and tells what the file holds.
 * @throws ImportError
 */
export async function importClaudeLog(log: SurveyedLog, ports: ImportPorts): Promise<LogReport> {
  let before = 0;
  for (let attempt = 1; attempt <= TRIES_MAX; attempt += 1) {
    const run = new ClaudeImport(log, ports);
    try {
      await run.walk();
      return logReport(log, run.imported(), run.changed(), { cards: ports.cards, before });
    } catch (error) {
      if (!(error instanceof StreamMovedError)) throw error;
      before += run.imported().reduce((sum, session) => sum + session.eventsAppended, 0);
    }
  }
  const message = `${log.file}: somebody else keeps writing to its session; import it again later`;
  throw new ImportError('stream_contended', message, { file: log.file });
}

interface OpenSession {
  readonly nativeId: string;
  readonly parentId?: string;
  readonly writer: SessionWriter;
  readonly translator: SessionTranslator;
  readonly calls: SpawnCalls;
}

type Start = (sessionId: string) => Promise<EventOf<'SessionStarted'>['data']>;

/** One pass that writes: the sessions of a file, opened as their records come. */
class ClaudeImport {
  private readonly sessions = new Map<string, OpenSession>();
  private readonly firstEvents: FirstEvents;

  constructor(
    private readonly log: SurveyedLog,
    private readonly ports: ImportPorts,
  ) {
    this.firstEvents = new FirstEvents(log, ports);
  }

  async walk(): Promise<void> {
    const { file, size, native } = this.log;
    const bytes = await openLog(file, { bytesMax: size, onProgress: this.ports.onProgress });
    const walk = new LogWalk(native.agentId === undefined, async (chain) => {
      const session = chain === undefined ? await this.own() : await this.child(chain);
      return session.translator;
    });
    await walk.run(bytes);
    for (const { translator } of this.sessions.values()) await translator.finish();
  }

  imported(): readonly ImportedSession[] {
    return [...this.sessions.values()].map(({ nativeId, parentId, writer }) => ({
      sessionId: writer.sessionId,
      nativeId,
      ...(parentId === undefined ? {} : { parentId }),
      eventsAppended: writer.appended,
    }));
  }

  changed() {
    return [...this.sessions.values()].flatMap(({ translator }) => translator.changed);
  }

  private async own(): Promise<OpenSession> {
    const { native, file } = this.log;
    const known = this.sessions.get(native.nativeId);
    if (known !== undefined) return known;
    const isAgent = native.agentId !== undefined;
    const parentId =
      native.parent === undefined ? undefined : await this.ports.ids.idOf(native.parent.nativeId);
    return this.open(
      { nativeId: native.nativeId, parentId, author: isAgent ? 'agent' : 'user' },
      async (sessionId) =>
        this.firstEvents.ofFile(sessionId, isAgent ? await agentTypeBeside(file) : undefined),
    );
  }

  private async child(place: ChildPlace): Promise<OpenSession> {
    const nativeId = chainId(this.log.native.nativeId, place.key);
    const known = this.sessions.get(nativeId);
    if (known !== undefined) return known;
    const { calls, writer } = await this.own();
    const parentId = writer.sessionId;
    return this.open({ nativeId, parentId, author: 'agent' }, (sessionId) =>
      this.firstEvents.ofChain(sessionId, nativeId, place, { parentId, calls }),
    );
  }

  private async open(
    session: { readonly nativeId: string; readonly parentId?: string; readonly author: string },
    start: Start,
  ): Promise<OpenSession> {
    const { nativeId, parentId, author } = session;
    const { ports, log } = this;
    const sessionId = await ports.ids.idOf(nativeId);
    const calls = new SpawnCalls();
    const owner = { tenantId: ports.tenantId, sessionId };
    const redactor = await ports.redactorOf?.(owner);
    const writing = { ...ports, redactor };
    const writer = await SessionWriter.open(writing, sessionId, (event) => calls.apply(event));
    const hash = await ports.hasher(owner.tenantId, sessionId);
    const content = new SessionContent(ports.artifacts, hash, owner, redactor);
    const { cards } = ports;
    const translator = new SessionTranslator(
      { writer, content, cards, survey: log.survey, author, start: () => start(sessionId) },
      new Date(ports.now()).toISOString(),
    );
    const opened = { nativeId, parentId, writer, translator, calls };
    this.sessions.set(nativeId, opened);
    return opened;
  }
}
