import { characterCount } from './json.js';

/** What a format accepts as a tool-call id, and how a bad one is made legal (section 6.3). */
export interface IdRule {
  /** Most characters; undefined means no limit. */
  readonly charactersMax?: number;
  /** Characters that are replaced by `_`. Must be a global expression. */
  readonly illegalCharacters?: RegExp;
  /** An empty id is refused. */
  readonly isRequired?: boolean;
  /** Every id has exactly this many letters and digits (Mistral: 9). */
  readonly exactCharacters?: number;
}

/** A call that owns an id. `newId` is written by `assignIds`; it equals `id` if `id` may stay. */
export interface IdOwner {
  readonly id: string;
  /** False if the stored id is no string, so it has to be written in any case. */
  readonly hasStringId: boolean;
  newId: string;
}

/** FNV-1a, 32 bit, over code points. */
export function fnv1a(text: string): number {
  const { imul } = Math;
  let hash = 0x811c9dc5;
  for (const character of text) {
    hash = imul(hash ^ character.codePointAt(0)!, 0x01000193);
  }
  return hash >>> 0;
}

/**
 * A name longer than `charactersMax` becomes its first characters, `_` and its hash in base 36,
 * together exactly `charactersMax` characters. Shorter names stay. The result is a function of the
 * name alone, so calls, results and tool definitions can be shortened apart from each other.
 */
export function shortenId(name: string, charactersMax: number): string {
  if (characterCount(name) <= charactersMax) return name;
  const hash = fnv1a(name).toString(36);
  const kept = [...name].slice(0, Math.max(0, charactersMax - hash.length - 1));
  return `${kept.join('')}_${hash}`;
}

export function isLegalId(id: string, rule: IdRule): boolean {
  if (rule.isRequired && id === '') return false;
  if (rule.exactCharacters !== undefined) {
    return id.length === rule.exactCharacters && /^[a-zA-Z0-9]*$/.test(id);
  }
  if (rule.charactersMax !== undefined && characterCount(id) > rule.charactersMax) return false;
  return rule.illegalCharacters === undefined || id.search(rule.illegalCharacters) === -1;
}

/**
 * Gives every owner of one scope a legal id that nobody else in the scope has. A legal id that
 * is not yet taken stays; every other one gets the first free of `base`, `base__2`, `base__3`, …
 * `reserved` are ids that must not be given to anybody.
 */
export function assignIds(
  owners: readonly IdOwner[],
  rule: IdRule,
  reserved: Iterable<string> = [],
): void {
  const kept = new Set<string>();
  const renamed: IdOwner[] = [];
  for (const owner of owners) {
    if (owner.hasStringId && isLegalId(owner.id, rule) && !kept.has(owner.id)) {
      kept.add(owner.id);
      owner.newId = owner.id;
    } else {
      renamed.push(owner);
    }
  }
  const taken = new Set([...kept, ...reserved]);
  const nextNumber = new Map<string, number>();
  for (const owner of renamed) {
    const base = legalBase(owner.id, rule);
    let number = nextNumber.get(base) ?? 1;
    let name = numberedName(base, number, rule);
    while (taken.has(name)) {
      number += 1;
      name = numberedName(base, number, rule);
    }
    nextNumber.set(base, number + 1);
    taken.add(name);
    owner.newId = name;
  }
}

function legalBase(id: string, rule: IdRule): string {
  const base = rule.illegalCharacters ? id.replace(rule.illegalCharacters, '_') : id;
  return base === '' && rule.isRequired ? 'call' : base;
}

function numberedName(base: string, number: number, rule: IdRule): string {
  const name = number === 1 ? base : `${base}__${number}`;
  if (rule.exactCharacters !== undefined) return hashedId(name, rule.exactCharacters);
  return rule.charactersMax === undefined ? name : shortenId(name, rule.charactersMax);
}

function hashedId(name: string, characters: number): string {
  return fnv1a(name).toString(36).padStart(characters, '0').slice(-characters);
}
