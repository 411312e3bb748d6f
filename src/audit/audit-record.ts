import type { EventMetadata } from '../domain/events.js';
import { auditStream, sessionOfStream, tenantStream } from '../identity/derived-ids.js';
import type { EventCodec } from '../storage/event-codec.js';
import type { RecordedEvent } from '../storage/event-store.js';
import { decodeTenantEvent } from '../storage/tenant-event-codec.js';
import { decodeTrailEvent } from '../storage/trail-event-codec.js';

/** An event of a tenant, whatever stream it stands in. */
export interface AuditRecord {
  readonly position: bigint;
  readonly eventId: string;
  readonly recordedAt: string;
  readonly metadata: EventMetadata;
  /** Absent for what belongs to the tenant itself. */
  readonly sessionId?: string;
  /** Of its stream. */
  readonly revision: number;
  readonly type: string;
  readonly data: object;
}

/** Whether it is the tenant's: of one of its sessions, its settings, or its audit trail. */
export function isOfTenant(stream: string, tenantId: string): boolean {
  return (
    sessionOfStream(stream)?.tenantId === tenantId ||
    stream === tenantStream(tenantId) ||
    stream === auditStream(tenantId)
  );
}

/** @throws UnreadableEventError */
export function auditRecord(stored: RecordedEvent, codec: EventCodec): AuditRecord {
  const { position, eventId, revision, stream, recordedAtMs } = stored;
  const place = { position, eventId, revision, recordedAt: new Date(recordedAtMs).toISOString() };
  const owner = sessionOfStream(stream);
  if (owner !== undefined) {
    const { event, metadata } = codec.decode(stored);
    return { ...place, metadata, sessionId: owner.sessionId, ...event };
  }
  const metadata = JSON.parse(stored.metadata) as EventMetadata;
  const event = stream.startsWith('audit-') ? decodeTrailEvent(stored) : decodeTenantEvent(stored);
  return { ...place, metadata, ...event };
}

const DECISIONS: ReadonlySet<string> = new Set([
  'ToolApprovalDecided',
  'ToolEscalationDecided',
  'ToolEffectLowered',
  'ToolCompensationRequested',
  'StopRequested',
  'SessionQuarantined',
  'CallsRepriced',
  'SessionErased',
]);

/**
 * What auditors look at first: denials and exports, keys and settings, and in sessions what people
 * decided about them, resumed and took over by force.
 */
export function isOfTrail({ sessionId, type, data }: AuditRecord): boolean {
  if (sessionId === undefined || DECISIONS.has(type)) return true;
  if (type === 'SessionResumed') return (data as { readonly cause?: string }).cause === 'command';
  return type === 'RunClaimed' && (data as { readonly forced?: boolean }).forced === true;
}
