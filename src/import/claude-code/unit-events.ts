import type { ArtifactLink, Json } from '../../domain/content.js';
import type { EventOf, SessionEvent } from '../../domain/events.js';
import { derivedId, messageIdOfInput } from '../../identity/derived-ids.js';
import type { PriceCards } from '../../pricing/card-index.js';
import { type KnownSession, ORPHAN_RESULT } from '../known-session.js';
import type { SessionContent } from '../session-content.js';
import { type AnswerContext, answerEvents, settled } from './answer-events.js';
import { type Boundary, compacted, compactionCall } from './compaction-events.js';
import { mediaBlocks } from './line-content.js';
import { type LineUnit, resultExcerpt, resultKey } from './line-units.js';
import type { JsonObject, LogLine } from './log-line.js';
import { resultEvents } from './result-events.js';
import { goOnRun, isMidRun, runOfCompaction, runOfInput } from './run-events.js';
import type { Survey } from './survey.js';
import { plainText } from './user-line.js';

type UnitOf<K extends LineUnit['kind']> = Extract<LineUnit, { kind: K }>;

export interface UnitPorts {
  readonly content: SessionContent;
  readonly cards: PriceCards;
  readonly survey: Survey;
  /** Who typed: a person, or the agent that started this one. */
  readonly author: string;
}

/** What an orphan's artifact holds: enough to give the result when its call turns up. */
interface OrphanResult {
  readonly block: JsonObject;
  readonly denied: boolean;
  readonly details?: Json;
}

/** The events of one unit, decided on what the session's stream holds before it. */
export class UnitEvents {
  private lastAnswer?: AnswerContext;

  constructor(
    private readonly known: KnownSession,
    private readonly ports: UnitPorts,
  ) {}

  async input(unit: UnitOf<'input'>): Promise<readonly SessionEvent[]> {
    const { sessionId } = this.known.state;
    const text = plainText(unit.content);
    const waiting = [...this.known.waitingTexts].find(([, words]) => words === text)?.[0];
    const inputId = waiting ?? derivedId('imported-input', sessionId, unit.key);
    const { content, author } = this.ports;
    const accepted: EventOf<'InputAccepted'> = {
      type: 'InputAccepted',
      data: {
        inputId,
        delivery: isMidRun(this.known) ? 'steer' : 'queue',
        resume: true,
        ...(await content.fitInput(await mediaBlocks(unit.content, content))),
        author,
      },
    };
    const { runId, events } = runOfInput(this.known, unit.key, inputId);
    const messageId = messageIdOfInput(sessionId, inputId);
    return [
      ...(waiting === undefined ? [accepted] : []),
      ...events,
      { type: 'InputDelivered', data: { inputId, runId, messageId } },
    ];
  }

  async answer(
    unit: UnitOf<'answer'>,
    line: { readonly key: string; readonly time: string },
  ): Promise<readonly SessionEvent[]> {
    const { survey, content, cards } = this.ports;
    const answer = survey.answers.get(unit.answer)!;
    const run = goOnRun(this.known, unit.key);
    const context = {
      known: this.known,
      content,
      cards,
      answer,
      runId: run.runId,
      time: line.time,
      isLast: unit.isLastOfLine && answer.lastKey === line.key,
      isDenied: (id: string) => survey.deniedIds.has(id),
    };
    const seen = this.known.revision + run.events.length;
    this.lastAnswer = context;
    return [...run.events, ...(await answerEvents(unit, context, seen))];
  }

  /** An answer whose last lines stand in another branch of the log: the request was made once. */
  restOfAnswer(): readonly SessionEvent[] {
    const open = this.known.state.modelCall;
    if (open === undefined || this.lastAnswer === undefined) return [];
    return settled({ ...this.lastAnswer, runId: open.runId }, open.modelCallId);
  }

  async result(
    unit: UnitOf<'result'>,
    line: LogLine,
    time: string,
  ): Promise<readonly SessionEvent[]> {
    const { content } = this.ports;
    const { block, denied } = unit;
    const given: OrphanResult = { block, denied, details: line.value['toolUseResult'] as Json };
    const call = this.known.calls.get(unit.providerId);
    if (call === undefined) {
      const raw = await content.keep(JSON.stringify(given), 'application/json');
      return [kept(ORPHAN_RESULT, resultExcerpt(block), raw)];
    }
    if (call.outcome === 'result') return [kept('repeatedResult', resultExcerpt(block))];
    return resultEvents(this.known, content, call, given, time);
  }

  /** The result of a call that an earlier import met without it: the other half came first. */
  async orphanOf(providerId: string, time: string): Promise<readonly SessionEvent[]> {
    const call = this.known.calls.get(providerId);
    const orphan = this.known.orphans.get(resultKey(providerId));
    if (call === undefined || orphan === undefined || call.outcome === 'result') return [];
    const raw = await this.ports.content.read(orphan.hash);
    if (raw === undefined) return [];
    const given = JSON.parse(Buffer.from(raw).toString('utf8')) as OrphanResult;
    return resultEvents(this.known, this.ports.content, call, given, time);
  }

  summary(unit: UnitOf<'summary'>, boundary: Boundary | undefined): readonly SessionEvent[] {
    const { runId, events, end } = runOfCompaction(this.known, unit.key);
    const call =
      boundary === undefined ? [] : compactionCall(this.known, boundary, runId, events.length);
    const before = [...events, ...call];
    const of = { boundary, key: unit.key, runId };
    return [...before, ...compacted(this.known, unit.text, of, before.length), ...end];
  }

  /** A boundary whose summary is not in the file: the request was made all the same. */
  callOf(boundary: Boundary): readonly SessionEvent[] {
    const { runId, events, end } = runOfCompaction(this.known, boundary.key);
    const call = compactionCall(this.known, boundary, runId, events.length);
    return call.length === 0 ? [] : [...events, ...call, ...end];
  }
}

export function kept(kind: string, excerpt?: string, raw?: ArtifactLink): SessionEvent {
  return {
    type: 'ImportedRecordKept',
    data: {
      kind,
      count: 1,
      ...(raw === undefined ? {} : { raw }),
      ...(excerpt === undefined ? {} : { excerpt }),
    },
  };
}
