import type { ByteRange } from '../storage/artifact-store.js';

const ONE_RANGE = /^bytes=(?:(\d{1,15})-(\d{1,15})?|-(\d{1,15}))$/;

/**
 * The part that a Range header asks for (RFC 9110, §14): undefined means the whole, as for a header
 * that is not understood or asks for several ranges.
 */
export function rangeOf(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | 'not_satisfiable' | undefined {
  const [, from, to, last] = ONE_RANGE.exec(header ?? '') ?? [];
  if (last !== undefined) {
    return Number(last) === 0 || sizeBytes === 0
      ? 'not_satisfiable'
      : { from: Math.max(0, sizeBytes - Number(last)), to: sizeBytes - 1 };
  }
  if (from === undefined || (to !== undefined && Number(to) < Number(from))) return undefined;
  if (Number(from) >= sizeBytes) return 'not_satisfiable';
  return { from: Number(from), to: Math.min(Number(to ?? Infinity), sizeBytes - 1) };
}
