import { readFileSync } from 'node:fs';
import type { CoveredText, Speaker } from '../../src/context/covered-texts.js';
import { type Omission, omissions } from '../../src/context/omission-check.js';
import type { OmissionKind } from '../../src/domain/events/compaction-events.js';

/** One labelled compaction: what was said, what was kept, and what the check has to report. */
export interface LabelledExample {
  readonly id: string;
  /** Nobody looked at its faults while the check was tuned. */
  readonly heldOut?: boolean;
  readonly covered: readonly (readonly [Speaker, string])[];
  readonly summary: string;
  readonly facts?: readonly string[];
  /** Characteristic words of each expected entry, by kind. */
  /** Words of entries that are neither needed nor wrong: noise in what a user pasted. */
  readonly optional?: readonly string[];
  /** Where a passage of a real transcript was cut from. */
  readonly source?: string;
  readonly expected: Partial<Record<OmissionKind, readonly string[]>>;
}

export interface Score {
  readonly right: number;
  /** Entries that nobody wanted. */
  readonly wrong: readonly string[];
  /** Omissions that were not reported. */
  readonly missed: readonly string[];
}

export function labelled(file: string): readonly LabelledExample[] {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as LabelledExample[];
}

/** One score per kind over all examples. */
export function scoresOf(examples: readonly LabelledExample[]): ReadonlyMap<string, Score> {
  const scores = new Map<string, Score>();
  for (const example of examples) {
    const entries = entriesOf(example);
    const kinds = new Set([...entries.map(({ kind }) => kind), ...kindsOf(example)]);
    for (const kind of kinds) {
      const reported = entries.filter((entry) => entry.kind === kind).map(({ text }) => text);
      const sum = plus(scores.get(kind), compared(example, kind, reported));
      scores.set(kind, sum);
    }
  }
  return scores;
}

export function total(scores: ReadonlyMap<string, Score>): Score {
  return [...scores.values()].reduce(plus, { right: 0, wrong: [], missed: [] });
}

export function precisionOf({ right, wrong }: Score): number {
  return right + wrong.length === 0 ? 1 : right / (right + wrong.length);
}

export function recallOf({ right, missed }: Score): number {
  return right + missed.length === 0 ? 1 : right / (right + missed.length);
}

function entriesOf({ covered, summary, facts }: LabelledExample): readonly Omission[] {
  const texts = covered.map(([by, text]): CoveredText => ({ by, text }));
  return omissions({ covered: texts, summary, facts: facts ?? [] }).entries;
}

function kindsOf({ expected }: LabelledExample): readonly OmissionKind[] {
  return Object.keys(expected) as OmissionKind[];
}

/** Each expected entry answers for one reported entry. */
function compared(
  { id, expected, optional = [] }: LabelledExample,
  kind: OmissionKind,
  reported: readonly string[],
): Score {
  const left = reported.filter((text) => !optional.some((words) => text.includes(words)));
  const missed: string[] = [];
  let right = 0;
  for (const words of expected[kind] ?? []) {
    const place = left.findIndex((text) => matches(text, words));
    if (place < 0) missed.push(`${id} ${kind}: ${words}`);
    else right += left.splice(place, 1).length;
  }
  return { right, wrong: left.map((text) => `${id} ${kind}: ${text}`), missed };
}

function matches(text: string, words: string): boolean {
  return text.includes(words) || (text.length > 3 && words.includes(text));
}

function plus(one: Score | undefined, other: Score): Score {
  if (one === undefined) return other;
  return {
    right: one.right + other.right,
    wrong: [...one.wrong, ...other.wrong],
    missed: [...one.missed, ...other.missed],
  };
}
