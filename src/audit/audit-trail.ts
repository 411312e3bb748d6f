import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { TenantSender } from '../commands/tenant-handling.js';
import { VersionConflictError } from '../commands/revision-errors.js';
import type { TrailEvent } from '../domain/audit/trail-events.js';
import { auditStream, derivedId } from '../identity/derived-ids.js';
import { appendSettled } from '../storage/append-settled.js';
import type { EventStore } from '../storage/event-store.js';
import { encodeTrailEvent } from '../storage/trail-event-codec.js';
import { CLOCK, type Clock, EVENT_STORE } from '../tokens.js';

const CONFLICT_RETRIES_MAX = 10;

/** Writes what concerns a tenant's security and is no fact of a session. */
@Injectable()
export class AuditTrail {
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
    // Nothing is decided on what stands before, so the same event goes behind whatever stands there.
    for (let tries = 0; tries < CONFLICT_RETRIES_MAX; tries += 1) {
      const head = await this.events.head(stream);
      const { outcome } = await appendSettled(this.events, stream, head, [added]);
      if (outcome.outcome === 'written') return;
    }
    throw new VersionConflictError(stream);
  }
}
