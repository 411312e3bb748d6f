import { createHash, randomUUID } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { TenantRedaction } from '../commands/redaction/tenant-redaction.js';
import type { TenantSender } from '../commands/tenant-handling.js';
import type { AuditFilterText, ExportedFile } from '../domain/audit/trail-events.js';
import { redactEvent } from '../redaction/redact-event.js';
import type { Redactor } from '../redaction/redactor.js';
import { CLOCK, type Clock } from '../tokens.js';
import { AuditLog } from './audit-log.js';
import type { AuditRecord } from './audit-record.js';
import { AuditTrail } from './audit-trail.js';

export const EXPORTED_EVENTS_FILE = 'events.ndjson';

/** Says what an export is and lets anybody check that it is whole. */
export interface AuditManifest {
  readonly exportId: string;
  readonly tenantId: string;
  readonly exportedAt: string;
  readonly exportedBy: string;
  readonly filter: AuditFilterText;
  /** The rules of that moment were applied once more. */
  readonly redact: boolean;
  readonly events: number;
  /** The newest exported version of each session, and how many events of it. */
  readonly sessions: readonly {
    readonly sessionId: string;
    readonly events: number;
    readonly firstVersion: number;
    readonly lastVersion: number;
  }[];
  readonly files: readonly ExportedFile[];
}

export interface AuditExport {
  /** The bytes of `events.ndjson`, one event per line. */
  readonly lines: AsyncIterable<string>;
  /** To be asked for when all lines were read. */
  readonly manifest: () => AuditManifest;
}

/** Every event that passes, with content. The export is recorded before its first byte. */
export class ExportAudit extends Command<AuditExport> {
  constructor(
    readonly sender: TenantSender,
    readonly filter: AuditFilterText,
    readonly redact = false,
  ) {
    super();
  }
}

@CommandHandler(ExportAudit)
export class ExportAuditHandler implements ICommandHandler<ExportAudit, AuditExport> {
  constructor(
    private readonly log: AuditLog,
    private readonly trail: AuditTrail,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly redaction: TenantRedaction,
  ) {}

  /** @throws VersionConflictError; the store's errors. */
  async execute({ sender, filter, redact }: ExportAudit): Promise<AuditExport> {
    const exportId = randomUUID();
    const head = await this.log.head();
    const data = { exportId, filter, ...(redact ? { redact } : {}) };
    await this.trail.record(sender, { type: 'AuditExportStarted', data });
    const { tenantId, actor } = sender;
    const making = new ManifestInMaking();
    const redactor = redact ? await this.redaction.forReading(tenantId) : undefined;
    const pages = this.log.upTo(head, tenantId, filter);
    const lines = this.lines(making, masked(pages, redactor), sender, exportId);
    const exportedAt = new Date(this.clock()).toISOString();
    const about = { exportId, tenantId, exportedAt, exportedBy: actor, filter, redact };
    return { lines, manifest: () => ({ ...about, ...making.done() }) };
  }

  private async *lines(
    making: ManifestInMaking,
    pages: AsyncIterable<readonly AuditRecord[]>,
    sender: TenantSender,
    exportId: string,
  ): AsyncGenerator<string> {
    for await (const records of pages) {
      if (records.length === 0) continue;
      const text = records.map((record) => making.line(record)).join('');
      making.count(text);
      yield text;
    }
    const { events, sessions, files } = making.done();
    const data = { exportId, events, sessions: sessions.length, files };
    await this.trail.record(sender, { type: 'AuditExported', data });
  }
}

async function* masked(
  pages: AsyncIterable<readonly AuditRecord[]>,
  redactor: Redactor | undefined,
): AsyncGenerator<readonly AuditRecord[]> {
  for await (const records of pages) {
    yield redactor === undefined
      ? records
      : records.map((record) => redactEvent(record, redactor).event);
  }
}

type SessionPart = AuditManifest['sessions'][number];

class ManifestInMaking {
  private readonly hash = createHash('sha256');
  private readonly sessions = new Map<string, SessionPart>();
  private bytes = 0;
  private events = 0;
  private sha256: string | undefined;

  line(record: AuditRecord): string {
    const { position, sessionId, revision } = record;
    this.events += 1;
    if (sessionId !== undefined) {
      const before = this.sessions.get(sessionId);
      this.sessions.set(sessionId, {
        sessionId,
        events: (before?.events ?? 0) + 1,
        firstVersion: before?.firstVersion ?? revision,
        lastVersion: revision,
      });
    }
    const { metadata, ...rest } = record;
    const { tenantId: _tenantId, ...who } = metadata;
    return `${JSON.stringify({ ...rest, position: String(position), ...who })}\n`;
  }

  count(text: string): void {
    this.hash.update(text);
    this.bytes += Buffer.byteLength(text);
  }

  done(): Pick<AuditManifest, 'events' | 'sessions' | 'files'> {
    this.sha256 ??= this.hash.digest('hex');
    const { bytes, sha256, events } = this;
    const files = [{ name: EXPORTED_EVENTS_FILE, bytes, sha256 }];
    return { events, sessions: [...this.sessions.values()], files };
  }
}
