import type { RedactionPattern, RedactionPolicy } from '../domain/redaction/redaction-policy.js';
import { suspectsIn } from './entropy.js';
import { type KnownSecret, KNOWN_TOKENS, LONG_IN_PLACE, SHORT_IN_PLACE } from './known-secrets.js';
import { stretchesIn } from './long-runs.js';
import { privateKeysIn } from './private-keys.js';
import { type CompiledPattern, compilePattern } from './tenant-patterns.js';

export interface Hit {
  readonly start: number;
  readonly end: number;
  readonly rule: string;
  /** False: it is only noted. */
  readonly masked: boolean;
}

/** An anchor this short stands nearly everywhere. */
const ANCHOR_CHARACTERS_MIN = 2;
const UNANCHORED = KNOWN_TOKENS.filter(({ anchors }) =>
  anchors.some((anchor) => anchor.length < ANCHOR_CHARACTERS_MIN),
);
/** One look tells of most stretches that they hold no token, one that nothing explains them. */
const ANY_ANCHOR = anyAnchorOf(KNOWN_TOKENS.filter((secret) => !UNANCHORED.includes(secret)));
const ANY_PLACE = anyAnchorOf(LONG_IN_PLACE);
const SHORTEST_CHARACTERS = 8;
const KEY_NAME = /key|token|secret|passw|pwd|credential|authorization/i;
const KEY_NAME_CHARACTERS_MAX = 64;
/** Words that say what a token is stand so far before it at most. */
const CONTEXT_CHARACTERS = 96;
/** What of a name goes before its value, so that rules see them together. */
const JOINT = ': ';

/** What counts as a secret in one tenant. */
export class RedactionRules {
  private readonly patterns: readonly CompiledPattern[];
  private readonly masksSuspects: boolean;

  /** With the patterns of a tool beside those of its tenant. */
  private readonly withTools = new WeakMap<readonly RedactionPattern[], RedactionRules>();

  constructor(private readonly policy: RedactionPolicy) {
    this.patterns = policy.patterns.map(compilePattern);
    this.masksSuspects = policy.entropy === 'mask';
  }

  /** @param patterns of a tool's manifest. */
  with(patterns: readonly RedactionPattern[]): RedactionRules {
    if (patterns.length === 0) return this;
    const known = this.withTools.get(patterns);
    if (known !== undefined) return known;
    const all = [...this.policy.patterns, ...patterns];
    const rules = new RedactionRules({ ...this.policy, patterns: all });
    this.withTools.set(patterns, rules);
    return rules;
  }

  /** Places of secrets in a text by known forms, in order, none over another. */
  known(text: string, name = ''): readonly Hit[] {
    if (text.length < SHORTEST_CHARACTERS) return [];
    const isTelling =
      name.length > 0 && name.length <= KEY_NAME_CHARACTERS_MAX && KEY_NAME.test(name);
    const seen = isTelling ? `${name}${JOINT}${text}` : text;
    const shift = seen.length - text.length;
    const hits = hitsIn(seen, this.masksSuspects);
    if (shift === 0) return apart(hits);
    return apart(hits.filter(({ start }) => start >= shift).map((hit) => moved(hit, -shift)));
  }

  get hasPatterns(): boolean {
    return this.patterns.length > 0;
  }

  /** Places that the tenant's own patterns name; undefined when time was over before all were found. */
  own(text: string, isOver: () => boolean): readonly Hit[] | undefined {
    const hits: Hit[] = [];
    for (const { name: rule, matches } of this.patterns) {
      const found = matches(text, isOver);
      if (found === undefined) return undefined;
      hits.push(...found.map(([start, end]) => ({ start, end, rule, masked: true })));
    }
    return apart(hits);
  }
}

function hitsIn(text: string, masksSuspects: boolean): Hit[] {
  const hits = SHORT_IN_PLACE.flatMap((secret) => hitsOf(secret, text));
  for (const [start, end] of privateKeysIn(text)) {
    hits.push({ start, end, rule: 'private-key', masked: true });
  }
  for (const [from, to] of stretchesIn(text)) {
    const part = text.slice(from, to);
    for (const secret of ANY_ANCHOR.test(part) ? KNOWN_TOKENS : UNANCHORED) {
      for (const hit of hitsOf(secret, part)) hits.push(moved(hit, from));
    }
    hits.push(...hitsInPlace(text, from, to, masksSuspects));
  }
  return hits;
}

/** A stretch as the words before it explain it. */
function hitsInPlace(text: string, from: number, to: number, masksSuspects: boolean): Hit[] {
  const before = Math.max(0, from - CONTEXT_CHARACTERS);
  const part = text.slice(before, to);
  const found = ANY_PLACE.test(part) ? LONG_IN_PLACE.flatMap((secret) => hitsOf(secret, part)) : [];
  if (KEY_NAME.test(part)) {
    for (const { start, end } of suspectsIn(part)) {
      found.push({ start, end, rule: 'entropy', masked: masksSuspects });
    }
  }
  return found.map((hit) => moved(hit, before));
}

function anyAnchorOf(secrets: readonly KnownSecret[]): RegExp {
  const anchors = secrets.flatMap((secret) => secret.anchors);
  const escaped = anchors.map((anchor) =>
    anchor.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`),
  );
  return new RegExp(escaped.join('|'));
}

function hitsOf({ rule, anchors, pattern }: KnownSecret, text: string): readonly Hit[] {
  if (!anchors.some((anchor) => text.includes(anchor))) return [];
  const hits: Hit[] = [];
  for (const match of text.matchAll(pattern)) {
    const [whole, secret = whole] = match;
    const start = match.index + whole.lastIndexOf(secret);
    hits.push({ start, end: start + secret.length, rule, masked: true });
  }
  return hits;
}

/** In order; a mask goes before a note, then what begins first, then the longer one. */
function apart(hits: readonly Hit[]): readonly Hit[] {
  if (hits.length < 2) return hits;
  const isOver = (one: Hit, other: Hit): boolean => one.start < other.end && other.start < one.end;
  const masks = hits.filter(({ rule }) => rule !== 'entropy');
  const rest = hits.filter(
    (hit) => hit.rule === 'entropy' && !masks.some((mask) => isOver(hit, mask)),
  );
  const sorted = [...masks, ...rest].sort(
    (one, other) => one.start - other.start || other.end - one.end,
  );
  const kept: Hit[] = [];
  for (const hit of sorted) {
    const last = kept.at(-1);
    if (last === undefined || hit.start >= last.end) kept.push(hit);
    else if (hit.masked && hit.end > last.end) kept.push({ ...hit, start: last.end });
  }
  return kept;
}

function moved(hit: Hit, by: number): Hit {
  return { ...hit, start: hit.start + by, end: hit.end + by };
}

/** Names of the built-in rules; a tenant's own pattern has another one. */
export const KNOWN_RULES: readonly string[] = [
  ...new Set([...KNOWN_TOKENS, ...LONG_IN_PLACE, ...SHORT_IN_PLACE].map(({ rule }) => rule)),
  'private-key',
  'entropy',
  'overflow',
  'signed',
];
