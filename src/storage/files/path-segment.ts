import { createHash } from 'node:crypto';

const SEGMENT_CHARACTERS_MAX = 120;

/**
 * A name that is safe as one part of a path on every file system: no separators, no dots, no
 * reserved device names, and different ids stay different where case does not count. Letters a to z
 * and digits stand for themselves, other bytes as `_` and two hex digits; a long id as its hash.
 */
export function pathSegment(id: string): string {
  let segment = 'i-';
  for (const byte of Buffer.from(id)) {
    const plain = (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x30 && byte <= 0x39) || byte === 0x2d;
    segment += plain ? String.fromCharCode(byte) : `_${byte.toString(16).padStart(2, '0')}`;
  }
  return segment.length <= SEGMENT_CHARACTERS_MAX
    ? segment
    : `h-${createHash('sha256').update(id).digest('hex')}`;
}
