import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { TenantSender } from '../commands/tenant-handling.js';
import { VersionConflictError } from '../commands/revision-errors.js';
import type { TrailEvent } from '../domain/audit/trail-events.js';
import { auditStream, derivedId } from '../identity/derived-ids.js';
import { appendSettled } from '../storage/append-settled.js';
import type { EventStore, EventToAppend } from '../storage/event-store.js';
import { encodeTrailEvent } from '../storage/trail-event-codec.js';
import { Turns } from '../storage/turns.js';
import { CLOCK, type Clock, EVENT_STORE } from '../tokens.js';

const CONFLICT_RETRIES_MAX = 10;
/** In one append. */
const EVENTS_MAX = 50;

interface Waiting {
  readonly added: EventToAppend;
  /** Of the append that it was part of. */
  appended?: Promise<void>;
}

/** Writes what concerns a tenant's security and is no fact of a session. */
@Injectable()
export class AuditTrail {
  private readonly turns = new Turns();
  private readonly waiting = new Map<string, Waiting[]>();

  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Durable when it resolves. @throws VersionConflictError; the store's errors. */
  async record({ tenantId, actor }: TenantSender, event: TrailEvent): Promise<void> {
    const stream = auditStream(tenantId);
    const commandId = randomUUID();
    const added = encodeTrailEvent({
      eventId: derivedId('trail', tenantId, commandId),
      event,
      metadata: { tenantId, actor, commandType: event.type, commandId },
      recordedAtMs: this.clock(),
    });
    const mine: Waiting = { added };
    this.waiting.set(stream, [...(this.waiting.get(stream) ?? []), mine]);
    // Writers of this process would be each other's conflicts: who waits is written with the first.
    await this.turns.take(stream, () => mine.appended ?? this.appendWaiting(stream));
  }

  private appendWaiting(stream: string): Promise<void> {
    const waiting = this.waiting.get(stream) ?? [];
    const batch = waiting.slice(0, EVENTS_MAX);
    const rest = waiting.slice(EVENTS_MAX);
    if (rest.length === 0) this.waiting.delete(stream);
    else this.waiting.set(stream, rest);
    const appended = this.append(
      stream,
      batch.map(({ added }) => added),
    );
    for (const one of batch) one.appended = appended;
    return appended;
  }

  private async append(stream: string, events: readonly EventToAppend[]): Promise<void> {
    // Nothing is decided on what stands before, so the same events go behind whatever stands there.
    for (let tries = 0; tries < CONFLICT_RETRIES_MAX; tries += 1) {
      const head = await this.events.head(stream);
      const { outcome } = await appendSettled(this.events, stream, head, events);
      if (outcome.outcome === 'written') return;
    }
    throw new VersionConflictError(stream);
  }
}
