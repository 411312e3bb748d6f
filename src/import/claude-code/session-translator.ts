import type { EventOf, SessionEvent } from '../../domain/events.js';
import { derivedId } from '../../identity/derived-ids.js';
import { ImportError } from '../import-error.js';
import type { ChangedRecord } from '../import-report.js';
import type { SessionWriter } from '../session-writer.js';
import { digestOf, writeReference } from '../source-reference.js';
import { messageIdOf } from './answer-events.js';
import { type Boundary, boundaryOf } from './compaction-events.js';
import { InputQueue, type QueuedInput } from './input-queue.js';
import { type LineUnit, resultKey } from './line-units.js';
import type { LogLine } from './log-line.js';
import { isMidRun, runAtEnd, stoppedByUser, unknownCalls } from './run-events.js';
import { TreePath } from './tree-path.js';
import { UnitEvents, type UnitPorts, kept } from './unit-events.js';

export interface TranslatorPorts extends UnitPorts {
  readonly writer: SessionWriter;
  /** The session's first event, made when it is needed. */
  readonly start: () => Promise<EventOf<'SessionStarted'>['data']>;
}

/** A record on its way: its line, its units, and where its raw text is kept. */
export interface TranslatedRecord {
  /** Undefined for what could not be read. */
  readonly line: LogLine | undefined;
  readonly key: string;
  readonly units: readonly LineUnit[];
  /** In the file. */
  readonly byteOffset: number;
  /** In the artifact of its chunk. */
  readonly offset: number;
  readonly length: number;
}

const CLOSING_EVENTS_PER_UNIT = 80;

/**
 * Turns the records of one session into its events, in the order of the file. Records that the
 * stream holds already only move the reading position; what is appended depends on what is there.
 */
export class SessionTranslator {
  readonly changed: ChangedRecord[] = [];
  private readonly tree = new TreePath();
  private readonly queue = new InputQueue();
  private readonly events: UnitEvents;
  /** A `compact_boundary` whose summary has not come yet. */
  private boundary: Boundary | undefined;
  private time: string;

  constructor(
    private readonly ports: TranslatorPorts,
    now: string,
  ) {
    this.time = ports.survey.firstTime ?? now;
    this.events = new UnitEvents(this.known, ports);
  }

  get known() {
    return this.ports.writer.known;
  }

  isNew(units: readonly LineUnit[]): boolean {
    return units.some((unit) => !this.known.units.has(unit.key));
  }

  /** Keeps the raw text of records before the events that are made of them; starts the session. */
  async keepRaw(count: number, text: string): Promise<void> {
    const digest = digestOf(text);
    const key = `raw:${digest}`;
    if (this.known.units.has(key)) return;
    if (this.isContinued()) throw continued(this.known.state.sessionId);
    const raw = await this.ports.content.keepRaw(text, 'application/x-ndjson');
    if (!this.known.exists) await this.startSession();
    const record = writeReference({ key, offset: 0, length: raw.sizeBytes, digest });
    const data = { kind: 'rawRecords', count, raw };
    await this.append({ key, record, events: [{ type: 'ImportedRecordKept', data }] });
  }

  async take(record: TranslatedRecord): Promise<void> {
    const { line, units } = record;
    this.time = line?.time ?? this.time;
    for (const unit of units) {
      if (unit.kind === 'boundary') await this.meetBoundary(line!, unit);
      const known = this.known.units.get(unit.key);
      if (known === undefined) await this.add(unit, record);
      else if (known.digest !== unit.digest) {
        this.changed.push({ key: unit.key, byteOffset: record.byteOffset });
      }
      if (unit.kind === 'summary') this.boundary = undefined;
    }
    if (line === undefined) return;
    this.queue.note(line, units[0]!.key, units[0]!.digest);
    const revisions = units.map((unit) => this.known.units.get(unit.key)?.revision ?? -1);
    const isSaid = units.some((unit) => unit.kind === 'input' || unit.kind === 'answer');
    this.tree.register(line, Math.max(...revisions), isSaid);
  }

  /** Brings the session to rest: nothing is owned, nothing is dispatched. */
  async finish(): Promise<void> {
    if (!this.known.exists || this.isContinued()) return;
    if (this.boundary !== undefined) await this.close(this.events.callOf(this.boundary));
    await this.close(unknownCalls(this.known));
    await this.keepQueue();
    await this.close(this.events.restOfAnswer());
    await this.close(runAtEnd(this.known));
    await this.ports.writer.flush();
  }

  flush(): Promise<void> {
    return this.ports.writer.flush();
  }

  private async add(unit: LineUnit, record: TranslatedRecord): Promise<void> {
    if (unit.kind === 'input') await this.goBack(record.line!);
    if (unit.kind === 'answer') await this.closeUnanswered(unit.answer);
    const events = await this.eventsOf(unit, record);
    await this.append({ key: unit.key, record: referenceOf(unit, record), events });
    if (unit.kind === 'answer') await this.pairOrphans(unit, record);
  }

  private eventsOf(
    unit: LineUnit,
    { line, key }: TranslatedRecord,
  ): readonly SessionEvent[] | Promise<readonly SessionEvent[]> {
    switch (unit.kind) {
      case 'input':
        return this.events.input(unit);
      case 'answer':
        return this.events.answer(unit, { key, time: this.time });
      case 'result':
        return this.events.result(unit, line!, this.time);
      case 'summary':
        return this.events.summary(unit, this.boundary);
      case 'interrupt': {
        const stopped = stoppedByUser(this.known, this.time);
        return stopped.length > 0 ? stopped : [kept('interrupt')];
      }
      case 'boundary':
        return [kept('compact_boundary')];
      case 'audit':
        return [kept(unit.what, unit.excerpt)];
    }
  }

  /** A typed input on an older line hides what was said since, and ends what ran there. */
  private async goBack(line: LogLine): Promise<void> {
    const { hidden } = this.known.state;
    const visible = this.tree
      .branchPoints(line)
      .find((at) => at >= 0 && !hidden.some(({ from, to }) => from <= at && at <= to));
    if (visible === undefined || visible >= this.known.revision) return;
    if (isMidRun(this.known)) await this.close(stoppedByUser(this.known, this.time));
    await this.close([this.known.revertTo(visible)]);
  }

  /** Before a new answer: calls for which the file has no result at all. */
  private async closeUnanswered(answer: string): Promise<void> {
    if (this.known.messages.has(messageIdOf(this.known.state.sessionId, answer))) return;
    const { resultIds } = this.ports.survey;
    await this.close(unknownCalls(this.known, (providerId) => resultIds.has(providerId)));
  }

  private async pairOrphans(
    unit: Extract<LineUnit, { kind: 'answer' }>,
    record: TranslatedRecord,
  ): Promise<void> {
    for (const { providerId } of unit.calls.values()) {
      const events = await this.events.orphanOf(providerId, this.time);
      const paired = { key: `${resultKey(providerId)}/paired`, digest: unit.digest };
      await this.append({ key: paired.key, record: referenceOf(paired, record), events });
    }
  }

  private async meetBoundary(line: LogLine, unit: LineUnit): Promise<void> {
    if (this.boundary !== undefined && !this.isContinued()) {
      await this.close(this.events.callOf(this.boundary));
    }
    this.boundary = boundaryOf(line, unit.key, this.time);
  }

  /** What waits in the log's queue is accepted and wakes nobody; what left it is withdrawn. */
  private async keepQueue(): Promise<void> {
    const pending = new Set(this.known.state.pendingInputs.map(({ inputId }) => inputId));
    const left = this.queue.left.map((input) => this.queuedId(input));
    await this.close(
      left
        .filter((inputId) => pending.has(inputId))
        .map((inputId) => ({ type: 'InputWithdrawn', data: { inputId } })),
    );
    for (const input of this.queue.waiting) await this.acceptQueued(this.queuedId(input), input);
  }

  private queuedId({ key }: QueuedInput): string {
    return derivedId('imported-queued-input', this.known.state.sessionId, key);
  }

  private async acceptQueued(inputId: string, input: QueuedInput): Promise<void> {
    const key = `queued:${input.key}`;
    if (this.known.units.has(key)) return;
    const fitted = await this.ports.content.fitInput([{ type: 'text', text: input.text }]);
    const { author } = this.ports;
    const data = { inputId, delivery: 'queue', resume: false, ...fitted, author } as const;
    const record = writeReference({ key, offset: 0, length: 0, digest: input.digest });
    await this.append({ key, record, events: [{ type: 'InputAccepted', data }] });
  }

  /** Events that no single record tells, but where the log stands. */
  private async close(events: readonly SessionEvent[]): Promise<void> {
    for (let from = 0; from < events.length; from += CLOSING_EVENTS_PER_UNIT) {
      const key = `at:${this.known.revision + 1}`;
      const part = events.slice(from, from + CLOSING_EVENTS_PER_UNIT);
      await this.append({ key, record: key, events: part });
    }
  }

  private async append(unit: Parameters<SessionWriter['add']>[0]): Promise<void> {
    if (unit.events.length === 0) return;
    if (this.isContinued()) throw continued(this.known.state.sessionId);
    await this.ports.writer.add(unit);
  }

  private async startSession(): Promise<void> {
    const data = await this.ports.start();
    const events = [{ type: 'SessionStarted' as const, data }];
    await this.ports.writer.add({ key: 'session', record: 'session', events });
  }

  /** Somebody claimed the session after it was imported: it belongs to its runs from then on. */
  private isContinued(): boolean {
    return this.known.state.epoch > 0;
  }
}

function referenceOf(
  unit: { readonly key: string; readonly digest: string },
  { offset, length }: TranslatedRecord,
): string {
  return writeReference({ key: unit.key, offset, length, digest: unit.digest });
}

function continued(sessionId: string): ImportError {
  return new ImportError(
    'session_continued',
    `session ${sessionId} was continued here after it had been imported, and its log has grown ` +
      'elsewhere; import the log with newIds to get a second session',
    { sessionId },
  );
}
