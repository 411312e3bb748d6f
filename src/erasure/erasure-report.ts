import { Inject, Injectable } from '@nestjs/common';
import type { TrailEvent } from '../domain/audit/trail-events.js';
import type { EventMetadata } from '../domain/events.js';
import type { Erasure } from '../domain/state.js';
import { auditStream, sessionStream } from '../identity/derived-ids.js';
import type { EventStore, RecordedEvent } from '../storage/event-store.js';
import { decodeTrailEvent } from '../storage/trail-event-codec.js';
import { EVENT_STORE } from '../tokens.js';
import { FindDescendants } from './find-descendants.js';

const PAGE_EVENTS = 1_000;
const EXPORT_TYPES = ['AuditExportStarted', 'AuditExported', 'StoreExported'];

/** A copy that was made of the tenant's events while the session's content was in them. */
export interface ExportBefore {
  /** Of an audit export. */
  readonly exportId?: string;
  readonly kind: 'audit' | 'store';
  /** ISO 8601. */
  readonly at: string;
  readonly actor: string;
  /** `underWay`: nobody has said that it was finished. */
  readonly status: 'finished' | 'underWay';
}

export interface ErasureReport {
  readonly sessionId: string;
  /** `pending`: nothing of it is read any more, and destroying it goes on by itself. */
  readonly status: 'done' | 'pending';
  readonly erasure: Erasure;
  /** Child sessions that were not erased with it: they have contents of their own. */
  readonly children: readonly string[];
  readonly exports: readonly ExportBefore[];
}

/** What an erasure could not reach. */
@Injectable()
export class ReportErasure {
  constructor(
    private readonly descendants: FindDescendants,
    @Inject(EVENT_STORE) private readonly events: EventStore,
  ) {}

  async of(
    owner: { readonly tenantId: string; readonly sessionId: string },
    status: ErasureReport['status'],
    erasure: Erasure,
  ): Promise<ErasureReport> {
    const { tenantId, sessionId } = owner;
    const head = await this.events.headPosition();
    const children = await this.descendants.of(tenantId, sessionId, head);
    const exports = await this.exportsOf(tenantId, sessionId, Date.parse(erasure.erasedAt));
    return {
      sessionId,
      status,
      erasure,
      children: children.map((child) => child.sessionId),
      exports,
    };
  }

  private async exportsOf(
    tenantId: string,
    sessionId: string,
    erasedAtMs: number,
  ): Promise<readonly ExportBefore[]> {
    const stream = sessionStream(tenantId, sessionId);
    const [first] = await this.events.read(stream, { from: 0, to: 0, maxCount: 1 });
    const beganAtMs = first?.recordedAtMs ?? 0;
    const found = new Map<string, ExportBefore>();
    for await (const stored of this.trailOf(tenantId)) {
      const event = decodeTrailEvent(stored);
      if (event.type === 'AuditExported') {
        const known = found.get(event.data.exportId);
        if (known !== undefined) found.set(event.data.exportId, { ...known, status: 'finished' });
        continue;
      }
      const isMeanwhile = beganAtMs <= stored.recordedAtMs && stored.recordedAtMs <= erasedAtMs;
      const one = isMeanwhile ? exportIn(event, stored, sessionId) : undefined;
      if (one !== undefined) found.set(one.exportId ?? stored.eventId, one);
    }
    return [...found.values()];
  }

  private async *trailOf(tenantId: string): AsyncGenerator<RecordedEvent> {
    for (let from = 0; ;) {
      const options = { from, maxCount: PAGE_EVENTS, types: EXPORT_TYPES };
      const page = await this.events.read(auditStream(tenantId), options);
      yield* page;
      if (page.length < PAGE_EVENTS) return;
      from = page.at(-1)!.revision + 1;
    }
  }
}

/** Undefined: it cannot hold anything of the session. */
function exportIn(
  event: TrailEvent,
  stored: RecordedEvent,
  sessionId: string,
): ExportBefore | undefined {
  const { actor } = JSON.parse(stored.metadata) as EventMetadata;
  const at = new Date(stored.recordedAtMs).toISOString();
  if (event.type === 'StoreExported') return { kind: 'store', at, actor, status: 'finished' };
  if (event.type !== 'AuditExportStarted') return undefined;
  const { exportId, filter } = event.data;
  if (filter.sessions !== undefined && !filter.sessions.includes(sessionId)) return undefined;
  return { exportId, kind: 'audit', at, actor, status: 'underWay' };
}
