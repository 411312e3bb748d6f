/**
 * Streams of events begin with one of these; what Holdfast keeps beside them (snapshots, indexes)
 * does not, so that no subscription sees it.
 */
export const EVENT_STREAM_PREFIXES: readonly string[] = [
  'session-',
  'tenant-',
  'budget-',
  'audit-',
];

export function isOwnStream(stream: string): boolean {
  return EVENT_STREAM_PREFIXES.some((prefix) => stream.startsWith(prefix));
}

/** Of one event, which tells this server's log from every other. */
export const IDENTITY_STREAM = 'holdfast-store';

/** A cache: sums of states, by the version of their shape. */
export function snapshotStream(stream: string, schemaVersion: number): string {
  return `snapshot-${schemaVersion}-${stream}`;
}

/** A cache: which keys stand in which part of the stream. */
export function keyStream(stream: string): string {
  return `keys-${stream}`;
}
