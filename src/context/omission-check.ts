import type { OmissionKind } from '../domain/events/compaction-events.js';
import type { StreamPosition } from '../domain/events/positions.js';
import { type CoveredText, type Speaker, coveredTexts } from './covered-texts.js';
import type { CompactionRange } from './compaction-range.js';
import type { ContextSource } from './context-source.js';
import { type FoundItem, halfWidth } from './omission-item.js';
import { findNegations } from './omission-negations.js';
import { KeptText } from './omission-reference.js';
import { itemsIn } from './omission-search.js';

export const OMISSIONS_MAX = 200;
const TEXT_CHARACTERS_MAX = 100_000;
const COVERED_CHARACTERS_MAX = 1_000_000;
const ITEMS_MAX = 5_000;
/** A longer message holds something pasted: its items come after what was typed. */
const TYPED_CHARACTERS_MAX = 4_000;
const FENCE = /```[\s\S]*?(?:```|$)/g;

export interface Omission {
  readonly kind: OmissionKind;
  readonly text: string;
  readonly by: Speaker;
  /** The first message that says it. */
  readonly at?: StreamPosition;
  /** Messages that say it. */
  readonly count: number;
}

export interface Omissions {
  /** Most useful first. */
  readonly entries: readonly Omission[];
  /** Omissions that did not fit into the list. */
  readonly cut: number;
  /** Characters of the covered range that were not looked at, because it is too long. */
  readonly unreadCharacters: number;
}

export interface OmissionRequest {
  readonly covered: readonly CoveredText[];
  readonly summary: string;
  /** The words of the current facts. */
  readonly facts: readonly string[];
  readonly entriesMax?: number;
}

interface Candidate {
  readonly item: FoundItem;
  readonly at?: StreamPosition;
  readonly order: number;
  by: Speaker;
  rank: number;
  count: number;
}

/**
 * What the covered range says and neither summary nor facts do: amounts, paths, identifiers, URLs,
 * dates, versions and negated constraints. A hint for whoever repairs the summary, no proof: it
 * compares normal forms and words, in one language. Time grows linearly with the texts.
 */
export function omissions(request: OmissionRequest): Omissions {
  const { candidates, unreadCharacters } = candidatesOf(request.covered);
  const kept = new KeptText([request.summary, ...request.facts]);
  const missing = candidates.filter(({ item }) => !kept.holds(item)).sort(byUse);
  const shown = missing.slice(0, request.entriesMax ?? OMISSIONS_MAX);
  return {
    entries: shown.map(({ item, by, at, count }) => ({
      kind: item.kind,
      text: item.text,
      by,
      ...(at === undefined ? {} : { at }),
      count,
    })),
    cut: missing.length - shown.length,
    unreadCharacters,
  };
}

/** The check of a summary for a range that was chosen from this source. */
export function omissionsOf(
  range: CompactionRange,
  { facts }: Pick<ContextSource, 'facts'>,
  summary: string,
): Omissions {
  return omissions({
    covered: coveredTexts(range),
    summary,
    facts: facts.map(({ text }) => text),
  });
}

function candidatesOf(covered: readonly CoveredText[]): {
  readonly candidates: readonly Candidate[];
  readonly unreadCharacters: number;
} {
  const byKey = new Map<string, Candidate>();
  const candidates: Candidate[] = [];
  let readCharacters = 0;
  let unreadCharacters = 0;
  for (const { by, text, at } of covered) {
    const charactersMax = Math.min(TEXT_CHARACTERS_MAX, COVERED_CHARACTERS_MAX - readCharacters);
    const read = halfWidth(text.slice(0, charactersMax));
    readCharacters += read.length;
    unreadCharacters += text.length - read.length;
    const counted = new Set<Candidate>();
    for (const { item, rank } of saidItems(read, by)) {
      const known = item.keys.map((key) => byKey.get(key)).find((one) => one !== undefined);
      if (known !== undefined) {
        if (!counted.has(known)) known.count += 1;
        if (rank < known.rank) Object.assign(known, { rank, by });
        counted.add(known);
      } else if (candidates.length < ITEMS_MAX) {
        const candidate = { item, by, at, rank, order: candidates.length, count: 1 };
        candidates.push(candidate);
        counted.add(candidate);
        item.keys.forEach((key) => byKey.set(key, candidate));
      }
    }
  }
  return { candidates, unreadCharacters };
}

/** The items of one message with their rank: 0 for what a user typed. */
function saidItems(
  text: string,
  by: Speaker,
): readonly { readonly item: FoundItem; readonly rank: number }[] {
  const said = blanked(text);
  const items = [...itemsIn(said), ...findNegations(said, by === 'assistant' ? by : 'user')];
  if (by !== 'user') {
    const rank = by === 'summary' ? 1 : 3;
    return items.filter(({ isMinor }) => isMinor !== true).map((item) => ({ item, rank }));
  }
  const rank = text.length > TYPED_CHARACTERS_MAX ? 2 : 0;
  const pasted = said === text ? [] : itemsIn(fencedIn(text)).filter(({ isMinor }) => !isMinor);
  return [...items.map((item) => ({ item, rank })), ...pasted.map((item) => ({ item, rank: 2 }))];
}

/** Fenced code is quoted, not said. */
function blanked(text: string): string {
  return text.includes('```') ? text.replace(FENCE, '\n') : text;
}

function fencedIn(text: string): string {
  return (text.match(FENCE) ?? []).join('\n');
}

const KINDS: readonly OmissionKind[] = [
  'negatedConstraint',
  'amount',
  'date',
  'identifier',
  'url',
  'version',
  'path',
];

function byUse(one: Candidate, other: Candidate): number {
  return (
    one.rank - other.rank ||
    KINDS.indexOf(one.item.kind) - KINDS.indexOf(other.item.kind) ||
    other.count - one.count ||
    one.order - other.order
  );
}
