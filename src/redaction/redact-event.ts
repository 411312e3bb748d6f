import type { SessionEvent } from '../domain/events.js';
import type { Redaction } from '../domain/redaction/redaction-policy.js';
import type { Redactor } from './redactor.js';

/** Redactions that an event lists; what is over is counted. */
export const REDACTIONS_LISTED_MAX = 100;

/** Fields by which events are found, compared and folded; none of them is what anybody said. */
const STRUCTURE = /(?:Id|Ids|Hash|Key|At|By)$/;
const STRUCTURES: ReadonlySet<string> = new Set([
  'ancestors',
  'calls',
  'cost',
  'cut',
  'differences',
  'hidden',
  'inherited',
  'manifest',
  'reservation',
  'segments',
  'setup',
  'timing',
  'tools',
  'usage',
]);

export interface RedactedEvent<Event = SessionEvent> {
  readonly event: Event;
  readonly redactions: readonly Redaction[];
}

/**
 * Every field counts as content that is not known as structure: a field that is added later is
 * covered without anybody thinking of it.
 */
export function redactEvent<Event extends { readonly data: object }>(
  event: Event,
  redactor: Redactor,
): RedactedEvent<Event> {
  const content: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(event.data)) {
    if (isContent(value) && !isStructure(name)) content[name] = value;
  }
  const { value, redactions } = redactor.redact(content);
  if (redactions.length === 0) return { event, redactions };
  return { event: { ...event, data: { ...event.data, ...value } }, redactions };
}

/** What an event's metadata says of them. */
export function listedRedactions(redactions: readonly Redaction[]): {
  readonly redactions?: readonly Redaction[];
  readonly redactionsCut?: number;
} {
  const cut = redactions.length - REDACTIONS_LISTED_MAX;
  if (redactions.length === 0) return {};
  if (cut <= 0) return { redactions };
  return { redactions: redactions.slice(0, REDACTIONS_LISTED_MAX), redactionsCut: cut };
}

const NAMES_KEPT_MAX = 1_000;
/** By name; there are as many as fields of declared events. */
const structures = new Map<string, boolean>();

function isStructure(name: string): boolean {
  const known = structures.get(name);
  if (known !== undefined) return known;
  const is = STRUCTURES.has(name) || STRUCTURE.test(name);
  if (structures.size < NAMES_KEPT_MAX) structures.set(name, is);
  return is;
}

function isContent(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null);
}
