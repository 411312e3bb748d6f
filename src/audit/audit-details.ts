import type { AuditRecord } from './audit-record.js';

/** Fields that hold ids, names of things and outcomes, never what people, models or tools said. */
const SHOWN: ReadonlySet<string> = new Set(
  `
  attempt basis budget budgetId by callId cardId cause changed clears compactionId compensationCallId
  count decision delivery descendants effect epoch erasureId errorClass escalationId events expiresAt exportId
  forced from inputId keyId kind messageId model modelCallId name needed operation outcome
  parentId provider purpose reason redacted replaces requestedModel roles runId sessionId
  sessions source state status streams to tool trigger usedOn verdict version workerId
  `
    .trim()
    .split(/\s+/),
);
const NESTED: readonly string[] = ['key', 'manifest', 'budget', 'card'];
const TEXT_CHARACTERS_MAX = 256;

/** What an event says without its content. */
export function detailsOf({ data }: AuditRecord): Readonly<Record<string, unknown>> {
  const details = shownIn(data);
  for (const name of NESTED) {
    const inner: unknown = (data as Readonly<Record<string, unknown>>)[name];
    if (typeof inner === 'object' && inner !== null) Object.assign(details, shownIn(inner));
  }
  return details;
}

function shownIn(data: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(data).filter(([name, value]) => SHOWN.has(name) && isShort(value)),
  );
}

function isShort(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= TEXT_CHARACTERS_MAX;
  if (typeof value === 'number' || typeof value === 'boolean') return true;
  return Array.isArray(value) && value.length <= 20 && value.every((one) => isShort(one));
}
