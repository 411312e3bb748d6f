import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock, EVENT_STORE, LEASES } from '../tokens.js';
import { InheritOutcomes } from '../commands/inherit-outcomes.js';
import { SessionRepository } from '../commands/session-repository.js';
import { type Account, type Unaccounted, accountOf } from '../domain/account.js';
import { type SessionState, statusOf } from '../domain/state.js';
import { sessionOfStream } from '../identity/derived-ids.js';
import type { SessionDocument } from '../projections/sessions/session-document.js';
import { SESSIONS, sessionsProjection } from '../projections/sessions/sessions-projection.js';
import { sessionDocumentId } from '../projections/projection.js';
import { SESSION_STREAMS } from '../projections/projector.js';
import { ReadModels } from '../projections/read-models.js';
import { formatReadPosition } from '../projections/read-position.js';
import { isEventDamage } from '../storage/event-damage.js';
import type { EventStore } from '../storage/event-store.js';
import type { LeaseStore } from '../storage/lease-store.js';

/** Something that cannot be right about a session; reconciling it may be all that it takes. */
export interface SweepFinding {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly what: 'unaccounted' | 'indexDiffers' | 'forkIsBehind' | 'damaged' | 'failing';
  readonly detail: string;
}

export interface SweepReport {
  readonly sessions: number;
  readonly byClass: Readonly<Record<(Account | Unaccounted)['class'], number>>;
  readonly findings: readonly SweepFinding[];
}

const PAGE_EVENTS = 1_000;

/** The names of all streams of sessions, from the log itself and not from any read model. */
export async function* sessionStreams(events: EventStore): AsyncIterable<string> {
  const filter = { streamPrefix: SESSION_STREAMS };
  for (let position = 0n; ;) {
    const { events: page, next, caughtUp } = await events.readAll(position, PAGE_EVENTS, filter);
    for (const { stream, revision } of page) if (revision === 0) yield stream;
    if (caughtUp) return;
    position = next;
  }
}

/** Why this session is not forgotten, by its own stream. Nothing is written, and nothing is kept. */
export async function accountOfStream(
  stream: string,
  { events, sessions, leases, clock }: SweepPorts,
): Promise<{ readonly state: SessionState; readonly account: Account | Unaccounted }> {
  const head = await events.head(stream);
  const state = await sessions.loadAt(stream, head === 'noStream' ? -1 : head);
  const isHeld = state.run?.owned === true && (await leases.current(stream)) !== undefined;
  return { state, account: accountOf(state, isHeld, new Date(clock()).toISOString()) };
}

export interface SweepPorts {
  readonly events: EventStore;
  readonly sessions: SessionRepository;
  readonly leases: LeaseStore;
  readonly clock: Clock;
}

/**
 * The full pass over the streams themselves (reconciliation protocol, §18): it finds what a read
 * model has missed. It proves, and repairs nothing.
 */
@Injectable()
export class Sweep {
  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    private readonly sessions: SessionRepository,
    private readonly inherit: InheritOutcomes,
    private readonly readModels: ReadModels,
    @Inject(LEASES) private readonly leases: LeaseStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async all(signal?: AbortSignal): Promise<SweepReport> {
    const findings: SweepFinding[] = [];
    const byClass = { owned: 0, scheduled: 0, waiting: 0, resting: 0, unaccounted: 0 };
    let sessions = 0;
    const head = formatReadPosition(await this.events.headPosition());
    for await (const stream of sessionStreams(this.events)) {
      if (signal?.aborted) break;
      const { events, leases, clock } = this;
      const ports = { events, leases, clock, sessions: this.sessions };
      sessions += 1;
      try {
        const { state, account } = await accountOfStream(stream, ports);
        byClass[account.class] += 1;
        findings.push(...(await this.findingsOf(stream, state, account, head)));
      } catch (error) {
        if (!isEventDamage(error)) throw error;
        byClass.waiting += 1;
        const place = sessionOfStream(stream)!;
        findings.push({ ...place, what: 'damaged', detail: error.message });
      }
    }
    return { sessions, byClass, findings };
  }

  private async findingsOf(
    stream: string,
    state: SessionState,
    account: Account | Unaccounted,
    head: string,
  ): Promise<readonly SweepFinding[]> {
    const place = sessionOfStream(stream);
    if (place === undefined) return [];
    const details: readonly [SweepFinding['what'], string | undefined][] = [
      ['unaccounted', account.class === 'unaccounted' ? account.calls.join(', ') : undefined],
      ['indexDiffers', await this.indexFault(place, state, head)],
      ['forkIsBehind', await this.forkFault(place.tenantId, state)],
    ];
    return details.flatMap(([what, detail]) =>
      detail === undefined ? [] : [{ ...place, what, detail }],
    );
  }

  /** What lists say, where they know as much as was read here. */
  private async indexFault(
    { tenantId, sessionId }: Place,
    state: SessionState,
    atLeast: string,
  ): Promise<string | undefined> {
    const reader = await this.readModels.of(sessionsProjection, { atLeast });
    const id = sessionDocumentId(tenantId, sessionId);
    const document = await reader.get<SessionDocument>(SESSIONS, id);
    const status = statusOf(state);
    if (document === undefined) return reader.asOf.stale ? undefined : 'it is not listed';
    if (document.revision !== state.revision || document.status === status) return undefined;
    return `it is listed as ${document.status} and is ${status}`;
  }

  private async forkFault(tenantId: string, state: SessionState): Promise<string | undefined> {
    for (const [callId, known] of Object.entries(state.inheritedCalls)) {
      const outcomes = await this.inherit.learn(tenantId, callId, known.originSessionId);
      const learnt = outcomes.at(-1);
      if (learnt !== undefined && learnt.data.originRevision > known.originRevision) {
        return `call ${callId} is ${learnt.data.state} in ${known.originSessionId}`;
      }
    }
    return undefined;
  }
}

type Place = Pick<SweepFinding, 'tenantId' | 'sessionId'>;
