import type { EventOf, SessionEvent } from '../../domain/events.js';
import { sessionStream } from '../../identity/derived-ids.js';
import { beginningOf } from '../../domain/content-preview.js';
import type { WriterPorts } from '../session-writer.js';
import type { SessionIds } from '../session-ids.js';
import type { LogLine } from './log-line.js';
import type { NativeSession } from './native-session.js';
import { SpawnCalls } from './spawning-call.js';
import type { Survey } from './survey.js';
import { plainText, readUserLine } from './user-line.js';

type Started = EventOf<'SessionStarted'>['data'];
type Parent = NonNullable<Started['parent']>;

/** Where a chain of subagent lines begins inside its file. */
export interface ChildPlace {
  readonly key: string;
  readonly line: LogLine;
}

export interface StartedLog {
  readonly hash: string;
  readonly native: NativeSession;
  readonly survey: Survey;
}

const LABEL_CHARACTERS_MAX = 200;
const TITLE_CHARACTERS_MAX = 120;
const ANCESTORS_MAX = 1_000;
const READ_PAGE = 500;

/** Makes the first event of each session of a file. */
export class FirstEvents {
  constructor(
    private readonly log: StartedLog,
    private readonly ports: WriterPorts & { readonly ids: SessionIds },
  ) {}

  async ofFile(sessionId: string, agentType: string | undefined): Promise<Started> {
    const { native, survey } = this.log;
    const parent = await this.parentOfFile(sessionId);
    const prompt = native.agentId === undefined ? undefined : promptOf(survey.firstConversation);
    const title = survey.title ?? prompt;
    return this.started(sessionId, native.nativeId, {
      title,
      agentType,
      startedAt: survey.firstTime,
      ...parent,
    });
  }

  async ofChain(
    sessionId: string,
    nativeId: string,
    place: ChildPlace,
    of: { readonly parentId: string; readonly calls: SpawnCalls },
  ): Promise<Started> {
    const prompt = promptOf(place.line);
    const agent = { agentId: place.line.agentId, prompt };
    const spawningCallId = of.calls.find(agent, this.log.survey.callOfAgent);
    return this.started(sessionId, nativeId, {
      title: prompt,
      startedAt: place.line.time ?? this.log.survey.firstTime,
      parent: parentOf(of.parentId, 'subagent', spawningCallId),
      ancestors: await this.ancestorsOf(of.parentId),
    });
  }

  /** None where the other session already counts this one among its own ancestors. */
  private async parentOfFile(
    sessionId: string,
  ): Promise<{ readonly parent?: Parent; readonly ancestors?: readonly string[] }> {
    const { native, survey } = this.log;
    if (native.parent === undefined) return {};
    const parentId = await this.ports.ids.idOf(native.parent.nativeId);
    const ancestors = await this.ancestorsOf(parentId);
    if (parentId === sessionId || ancestors.includes(sessionId)) return {};
    const { edge } = native.parent;
    if (edge === 'continuation') return { parent: parentOf(parentId, edge), ancestors };
    const prompt = promptOf(survey.firstConversation);
    const calls = await this.spawnCallsOf(parentId);
    const callId = calls.find({ agentId: native.agentId, prompt });
    return { parent: parentOf(parentId, edge, callId), ancestors };
  }

  private started(
    sessionId: string,
    nativeId: string,
    of: {
      readonly title?: string;
      readonly agentType?: string;
      readonly startedAt?: string;
      readonly parent?: Parent;
      readonly ancestors?: readonly string[];
    },
  ): Started {
    const { survey, hash } = this.log;
    const title = beginningOf(of.title?.trim().split('\n', 1)[0] ?? '', TITLE_CHARACTERS_MAX);
    return {
      sessionId,
      ...(title === '' ? {} : { title }),
      labels: labelsOf(survey),
      profile: {
        name: of.agentType ?? 'claude-code',
        version: (survey.version ?? 'unknown').slice(0, LABEL_CHARACTERS_MAX),
        provider: 'anthropic',
        ...(survey.model === undefined ? {} : { model: survey.model }),
      },
      tools: [],
      recoveryMode: 'manual',
      ...(of.parent === undefined ? {} : { parent: of.parent }),
      ancestors: of.ancestors ?? [],
      origin: {
        format: 'claude-code',
        ...(survey.version === undefined
          ? {}
          : { formatVersion: survey.version.slice(0, LABEL_CHARACTERS_MAX) }),
        nativeId,
        fileHash: hash,
      },
      startedAt: of.startedAt ?? new Date(this.ports.now()).toISOString(),
    };
  }

  /** The parent first, then its own ancestors, as far as they are here. */
  private async ancestorsOf(parentId: string): Promise<readonly string[]> {
    const stream = sessionStream(this.ports.tenantId, parentId);
    const [first] = await this.ports.events.read(stream, { from: 0, to: 0, maxCount: 1 });
    if (first === undefined) return [parentId];
    const { event } = this.ports.codec.decode(first);
    const above =
      event.type === 'SessionStarted' || event.type === 'Forked' ? event.data.ancestors : [];
    return [parentId, ...above].slice(0, ANCESTORS_MAX);
  }

  private async spawnCallsOf(parentId: string): Promise<SpawnCalls> {
    const calls = new SpawnCalls();
    const stream = sessionStream(this.ports.tenantId, parentId);
    const types: readonly SessionEvent['type'][] = [
      'ToolCallRequested',
      'ToolResultRecorded',
      'ToolLateResultReceived',
    ];
    for (let from = 0; ;) {
      const page = await this.ports.events.read(stream, { from, maxCount: READ_PAGE, types });
      for (const stored of page) calls.apply(this.ports.codec.decode(stored).event);
      if (page.length < READ_PAGE) return calls;
      from = page.at(-1)!.revision + 1;
    }
  }
}

function parentOf(sessionId: string, edge: Parent['edge'], spawningCallId?: string): Parent {
  return { sessionId, edge, ...(spawningCallId === undefined ? {} : { spawningCallId }) };
}

/** What an agent was asked: the text of its first line. */
function promptOf(line: LogLine | undefined): string | undefined {
  if (line?.type !== 'user') return undefined;
  const text = plainText(readUserLine(line).content);
  return text === '' ? undefined : text;
}

function labelsOf({ cwd, gitBranch }: Survey): Readonly<Record<string, string>> {
  return {
    ...(cwd === undefined ? {} : { cwd: cwd.slice(0, LABEL_CHARACTERS_MAX) }),
    ...(gitBranch === undefined ? {} : { gitBranch: gitBranch.slice(0, LABEL_CHARACTERS_MAX) }),
  };
}
