import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { AuditFilterText } from '../domain/audit/trail-events.js';
import type { Redaction } from '../domain/redaction/redaction-policy.js';
import { detailsOf } from './audit-details.js';
import { AuditLog } from './audit-log.js';
import type { AuditRecord } from './audit-record.js';

/** Who did what, without what was said. */
export interface AuditEntry {
  readonly position: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly actor: string;
  readonly command: string;
  readonly commandId: string;
  readonly type: string;
  /** Absent for what belongs to the tenant itself. */
  readonly sessionId?: string;
  readonly revision: number;
  /** Ids, names of things and outcomes. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Secrets that were masked in it, or noted: where, and by which rule. */
  readonly redactions?: readonly Pick<Redaction, 'path' | 'rule' | 'flagged'>[];
}

export interface AuditEntries {
  readonly entries: readonly AuditEntry[];
  readonly next: string;
  readonly caughtUp: boolean;
}

/** What was done in a tenant, across its sessions and settings, in the order of the log. */
export class ReadAudit extends Query<AuditEntries> {
  constructor(
    readonly tenantId: string,
    readonly filter: AuditFilterText,
    readonly after: bigint,
    readonly limit: number,
  ) {
    super();
  }
}

@QueryHandler(ReadAudit)
export class ReadAuditHandler implements IQueryHandler<ReadAudit, AuditEntries> {
  constructor(private readonly log: AuditLog) {}

  async execute({ tenantId, filter, after, limit }: ReadAudit): Promise<AuditEntries> {
    const { records, next, caughtUp } = await this.log.page(tenantId, after, filter, limit);
    return { entries: records.map(entryOf), next: String(next), caughtUp };
  }
}

function entryOf(record: AuditRecord): AuditEntry {
  const { position, recordedAt, metadata, type, sessionId, revision } = record;
  return {
    position: String(position),
    at: recordedAt,
    actor: metadata.actor,
    command: metadata.commandType,
    commandId: metadata.commandId,
    type,
    sessionId,
    revision,
    details: detailsOf(record),
    redactions: metadata.redactions?.map(({ path, rule, flagged }) => ({ path, rule, flagged })),
  };
}
