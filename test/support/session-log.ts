import type { SessionCommand } from '../../src/domain/commands.js';
import { type Decision, decide } from '../../src/domain/decide.js';
import type { EventMetadata, SessionEvent, SessionEventRecord } from '../../src/domain/events.js';
import { evolve } from '../../src/domain/evolve.js';
import { type Past, type Receipt, keysFor, keysOf, pastOf } from '../../src/domain/past.js';
import { Rejection } from '../../src/domain/rejection.js';
import { type SessionState, initialState } from '../../src/domain/state.js';

export type Handled =
  | { readonly kind: 'accepted'; readonly events: readonly SessionEvent[] }
  | { readonly kind: 'repeated'; readonly receipt?: Receipt; readonly payloadDiffers: boolean }
  | { readonly kind: 'rejected'; readonly rejection: Rejection };

export type Decide = (command: SessionCommand, state: SessionState, past: Past) => Decision;

type Origin = Pick<SessionCommand, 'commandId' | 'payloadHash' | 'now'> & { readonly type: string };

export const TENANT = 'acme';
export const SESSION = 'session-1';

/** One session's stream in memory, with an index of keys as a store keeps it. */
export class SessionLog {
  readonly records: SessionEventRecord[] = [];
  state: SessionState = initialState;
  private readonly places = new Map<string, number[]>();

  constructor(
    readonly sessionId = SESSION,
    private readonly decideWith: Decide = decide,
  ) {}

  /** Decides on the current state and appends nothing. */
  decide(command: SessionCommand): Handled {
    try {
      return this.decideWith(command, this.state, this.pastFor(command));
    } catch (error) {
      if (error instanceof Rejection) return { kind: 'rejected', rejection: error };
      throw error;
    }
  }

  handle(command: SessionCommand): Handled {
    const handled = this.decide(command);
    if (handled.kind === 'accepted') this.append(command, handled.events);
    return handled;
  }

  append(origin: Origin, events: readonly SessionEvent[]): void {
    const { type, commandId, payloadHash, now } = origin;
    events.forEach((event, index) => {
      const metadata: EventMetadata = {
        tenantId: TENANT,
        actor: 'user-1',
        commandType: type,
        commandId,
        ...(index === 0 ? { payloadHash, commandEvents: events.length } : {}),
      };
      this.add(event, metadata, now);
    });
  }

  pastFor(command: SessionCommand): Past {
    const revisions = new Set<number>();
    for (const key of keysFor(command, this.state)) {
      for (const revision of this.places.get(key) ?? []) revisions.add(revision);
    }
    const inOrder = [...revisions].sort((a, b) => a - b);
    return pastOf(
      command,
      inOrder.map((revision) => this.records[revision]!),
    );
  }

  private add(event: SessionEvent, metadata: EventMetadata, now: string): void {
    this.state = evolve(this.state, event);
    const { revision } = this.state;
    for (const key of keysOf(event, metadata)) {
      const places = this.places.get(key);
      if (places === undefined) this.places.set(key, [revision]);
      else places.push(revision);
    }
    this.records.push({
      sessionId: this.sessionId,
      revision,
      position: BigInt(revision + 1),
      eventId: `event-${revision}`,
      recordedAt: now,
      metadata,
      event,
    });
  }
}
