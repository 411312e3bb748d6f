import { Inject, Injectable } from '@nestjs/common';
import type { AuditFilterText } from '../domain/audit/trail-events.js';
import { sessionDocumentId } from '../projections/projection.js';
import { ReadModels } from '../projections/read-models.js';
import type { SessionDocument } from '../projections/sessions/session-document.js';
import { SESSIONS, sessionsProjection } from '../projections/sessions/sessions-projection.js';
import type { EventCodec } from '../storage/event-codec.js';
import type { EventStore, RecordedEvent } from '../storage/event-store.js';
import { CODEC, EVENT_STORE } from '../tokens.js';
import { type AuditRecord, auditRecord, isOfTenant, isOfTrail } from './audit-record.js';
import { own } from '../domain/own.js';

const READ_TOGETHER_EVENTS = 500;
/** One page looks at so many events at most, whatever its filter lets through. */
export const SCANNED_EVENTS_MAX = 20_000;

export interface AuditPage {
  readonly records: readonly AuditRecord[];
  /** Everything up to this position has been seen. */
  readonly next: bigint;
  /** Nothing was left at that moment. */
  readonly caughtUp: boolean;
}

/** All that a tenant's log holds, of its sessions and of itself, in the order of the store. */
@Injectable()
export class AuditLog {
  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(CODEC) private readonly codec: EventCodec,
    private readonly readModels: ReadModels,
  ) {}

  /** Fewer records than `limit` do not mean that it is the last page. */
  async page(
    tenantId: string,
    after: bigint,
    filter: AuditFilterText,
    limit: number,
  ): Promise<AuditPage> {
    // Not every store can be asked for what is behind its end.
    if (after >= (await this.events.headPosition())) {
      return { records: [], next: after, caughtUp: true };
    }
    const records: AuditRecord[] = [];
    let next = after;
    for (let scanned = 0; scanned < SCANNED_EVENTS_MAX; scanned += READ_TOGETHER_EVENTS) {
      const page = await this.events.readAll(next, READ_TOGETHER_EVENTS);
      for (const record of await this.wanted(page.events, tenantId, filter)) {
        records.push(record);
        if (records.length === limit) return { records, next: record.position, caughtUp: false };
      }
      next = page.next;
      if (page.caughtUp) return { records, next, caughtUp: true };
    }
    return { records, next, caughtUp: false };
  }

  /** Where the log ends now. */
  head(): Promise<bigint> {
    return this.events.headPosition();
  }

  /** Everything that passes up to a position. */
  async *upTo(
    head: bigint,
    tenantId: string,
    filter: AuditFilterText,
  ): AsyncGenerator<readonly AuditRecord[]> {
    for (let after = 0n; after < head;) {
      const page = await this.events.readAll(after, READ_TOGETHER_EVENTS);
      const events = page.events.filter(({ position }) => position <= head);
      yield await this.wanted(events, tenantId, filter);
      if (page.caughtUp) return;
      after = page.next;
    }
  }

  private async wanted(
    stored: readonly RecordedEvent[],
    tenantId: string,
    filter: AuditFilterText,
  ): Promise<readonly AuditRecord[]> {
    const types = filter.types === undefined ? undefined : new Set(filter.types);
    const since = filter.since === undefined ? -Infinity : Date.parse(filter.since);
    const until = filter.until === undefined ? Infinity : Date.parse(filter.until);
    const found = stored
      .filter(
        ({ stream, type, recordedAtMs }) =>
          recordedAtMs >= since &&
          recordedAtMs < until &&
          (types === undefined || types.has(this.codec.typeOf(type))) &&
          isOfTenant(stream, tenantId),
      )
      .map((one) => auditRecord(one, this.codec))
      .filter((record) => passes(record, filter));
    return filter.label === undefined
      ? found
      : this.labelled(tenantId, found, labelOf(filter.label));
  }

  /** Of sessions that have the label now. */
  private async labelled(
    tenantId: string,
    records: readonly AuditRecord[],
    [name, value]: readonly [string, string],
  ): Promise<readonly AuditRecord[]> {
    const idOf = (sessionId: string): string => sessionDocumentId(tenantId, sessionId);
    const ids = new Set(records.flatMap(({ sessionId }) => sessionId ?? []).map(idOf));
    if (ids.size === 0) return [];
    const demand = { atLeast: String(records.at(-1)!.position) };
    const reader = await this.readModels.of(sessionsProjection, demand);
    const sessions = await reader.getMany<SessionDocument>(SESSIONS, [...ids]);
    return records.filter(
      ({ sessionId }) =>
        sessionId !== undefined && own(sessions.get(idOf(sessionId))?.labels ?? {}, name) === value,
    );
  }
}

function passes(record: AuditRecord, filter: AuditFilterText): boolean {
  const { actor, commands, sessions, trail, redacted } = filter;
  return (
    (actor === undefined || record.metadata.actor === actor) &&
    (commands === undefined || commands.includes(record.metadata.commandType)) &&
    (sessions === undefined ||
      (record.sessionId !== undefined && sessions.includes(record.sessionId))) &&
    (trail !== true || isOfTrail(record)) &&
    (redacted !== true || record.metadata.redactions !== undefined)
  );
}

function labelOf(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  return [text.slice(0, at), text.slice(at + 1)];
}
