import fc from 'fast-check';
import { FIXED_STRINGS, SYNTHETIC_TEXTS } from '../../src/index.js';

/** How histories of one format are made for the property tests. */
export interface HistoryMaker {
  /** Messy histories: dangling, orphaned, late, doubled, reordered, malformed. */
  readonly messy: fc.Arbitrary<unknown[]>;
  readonly options: fc.Arbitrary<object>;
  /** Texts of the user in order, without those that the format cannot send. */
  userTexts(history: readonly unknown[], options: object): string[];
  /** A valid history that ends in a model text. */
  readonly validStart: readonly unknown[];
  /** Rules that may be left over, by design, for this history. */
  mayRemain(history: readonly unknown[], options: object): ReadonlySet<string>;
}

/** JSON of any kind, nested a little. */
export const anyJson = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>;

/** Junk as damaged logs have it; cheap to generate. */
export const junk = fc.constantFrom<unknown>(
  null,
  true,
  5,
  'bare',
  '',
  [],
  {},
  [null],
  ['bare'],
  [[]],
  { type: 5 },
  { type: 'text' },
  { type: 'text', text: 5 },
  { type: 'other', value: { deep: [1, '\uDC00'] } },
  { role: 'user' },
  { content: 'no role' },
  { ['__proto__x']: 1 },
);

export const callId = fc.constantFrom(
  'a',
  'a',
  'b',
  'c',
  'a__2',
  '',
  'functions.t:0|x',
  'long'.repeat(20),
  `${'long'.repeat(20)}!`,
);

/** An id as a stored history may have it: mostly text. */
export const anyId = fc.oneof(
  { weight: 20, arbitrary: callId as fc.Arbitrary<unknown> },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(undefined, null, 5, {}) },
);

export const toolName = fc.constantFrom('read', 'write', 'n'.repeat(201));

export const text = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('one', 'two', 'three', 'with space ', 'ü 漢 😀') },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', '\n', '\uD800 lone') },
);

/** Texts of results: real ones, and synthetic ones of an earlier repair. */
export const resultText = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 99 }).map((number) => `real ${number}`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      SYNTHETIC_TEXTS.interrupted_unknown,
      SYNTHETIC_TEXTS.not_started,
      `${SYNTHETIC_TEXTS.timed_out} Operation key: k1.`,
    ),
  },
);

export function list<T>(one: fc.Arbitrary<T>, lengthMax: number): fc.Arbitrary<T[]> {
  return fc.array(one, { maxLength: lengthMax });
}

/** One of several messages, now and then junk. */
export function messages(...kinds: fc.Arbitrary<unknown>[]): fc.Arbitrary<unknown[]> {
  const weighted = kinds.map((arbitrary) => ({ weight: 6, arbitrary }));
  return list(fc.oneof(...weighted, { weight: 1, arbitrary: junk }), 9);
}

export const NOTHING: ReadonlySet<string> = new Set();

export function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const ADDED: readonly string[] = [FIXED_STRINGS.conversationContinues, FIXED_STRINGS.continue];

/** The texts that a repair may have added as a user are left out. */
export function given(texts: readonly string[]): string[] {
  return texts
    .filter((one) => !ADDED.includes(one))
    .map((one) => one.replace(/\p{Surrogate}/gu, '\uFFFD'));
}

export function partTexts(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown) => {
    if (typeof part === 'string') return [part];
    return isFields(part) && typeof part.text === 'string' ? [part.text] : [];
  });
}
