import { createHash } from 'node:crypto';

/**
 * Which record of a log an event was made of: `<key>@<offset>+<length>#<digest>`. Offset and length
 * are bytes inside the artifact of the nearest `ImportedRecordKept` of kind `rawRecords` before the
 * event; the digest tells a changed record from a repeated one.
 */
export interface SourceReference {
  readonly key: string;
  readonly offset: number;
  readonly length: number;
  readonly digest: string;
}

const KEY_CHARACTERS_MAX = 120;
const pattern = /^(.*)@(\d+)\+(\d+)#([0-9a-f]{16})$/s;

export function writeReference({ key, offset, length, digest }: SourceReference): string {
  return `${key}@${offset}+${length}#${digest}`;
}

export function readReference(text: string | undefined): SourceReference | undefined {
  const match = text === undefined ? null : pattern.exec(text);
  if (match === null) return undefined;
  return {
    key: match[1]!,
    offset: Number(match[2]),
    length: Number(match[3]),
    digest: match[4]!,
  };
}

export function digestOf(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\u0000');
  return hash.digest('hex').slice(0, 16);
}

/** Ids come from a file: a long one is named by its digest. */
export function boundedKey(id: string): string {
  return id.length <= KEY_CHARACTERS_MAX ? id : `digest-${digestOf(id)}`;
}
