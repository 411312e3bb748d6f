import { Inject, Injectable, Logger } from '@nestjs/common';
import { ALARMS, type Alarms } from '../alarms.js';
import type { SessionName } from '../projections/invalid-streams.js';
import { sessionDocumentId } from '../projections/projection.js';
import { StoreUnavailableError } from '../storage/event-store.js';
import { MissingKeyError } from '../storage/missing-key-error.js';
import { CLOCK, type Clock } from '../tokens.js';
import type { SweepFinding } from './sweep.js';

/** So often in a row a session's step may fail before the session has to wait. */
export const FAILURES_IN_A_ROW = 3;
export const FAILING_PAUSE_MS_MIN = 10_000;
export const FAILING_PAUSE_MS_MAX = 5 * 60_000;
const KNOWN_MAX = 10_000;

interface Failing extends SessionName {
  readonly failures: number;
  readonly againAtMs: number;
  readonly problem: string;
}

/**
 * Sessions whose steps fail, again and again: tried ever more seldom, so that they take no turn from
 * others, and named to whoever operates the server (reconciliation protocol, §10.1). A restart
 * forgets them, and tries at once.
 */
@Injectable()
export class FailingSessions {
  private readonly log = new Logger(FailingSessions.name);
  private readonly known = new Map<string, Failing>();

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(ALARMS) private readonly alarms: Alarms,
  ) {}

  hasToWait(session: SessionName): boolean {
    return this.clock() < (this.known.get(nameOf(session))?.againAtMs ?? 0);
  }

  failed({ tenantId, sessionId }: SessionName, error: unknown): void {
    const problem = String(error);
    this.log.warn(`session ${sessionId} was left for a later pass: ${problem}`);
    // Of the store, and of all sessions at once: they go on as soon as it is back.
    if (error instanceof StoreUnavailableError && !(error instanceof MissingKeyError)) return;
    const name = nameOf({ tenantId, sessionId });
    const failures = (this.known.get(name)?.failures ?? 0) + 1;
    if (failures === FAILURES_IN_A_ROW) {
      this.alarms('session_failing');
      this.log.error(`session_failing: session ${sessionId}, ${failures} times: ${problem}`);
    }
    if (this.known.size >= KNOWN_MAX) this.known.clear();
    const againAtMs = this.clock() + pauseMs(failures);
    this.known.set(name, { tenantId, sessionId, failures, againAtMs, problem });
  }

  succeeded(session: SessionName): void {
    if (!this.known.delete(nameOf(session))) return;
    this.log.log(`session ${session.sessionId} goes on`);
  }

  findings(): readonly SweepFinding[] {
    return [...this.known.values()]
      .filter(({ failures }) => failures >= FAILURES_IN_A_ROW)
      .map(({ tenantId, sessionId, failures, problem }) => ({
        tenantId,
        sessionId,
        what: 'failing' as const,
        detail: `${failures} times in a row: ${problem}`,
      }));
  }
}

function pauseMs(failures: number): number {
  const beyond = failures - FAILURES_IN_A_ROW;
  if (beyond < 0) return 0;
  return Math.min(FAILING_PAUSE_MS_MIN * 2 ** beyond, FAILING_PAUSE_MS_MAX);
}

function nameOf({ tenantId, sessionId }: SessionName): string {
  return sessionDocumentId(tenantId, sessionId);
}
