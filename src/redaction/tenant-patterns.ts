import { RE2JS } from 're2js';
import type { RedactionPattern } from '../domain/redaction/redaction-policy.js';

export interface CompiledPattern {
  readonly name: string;
  /**
   * Places of all matches, in order. One search takes time that grows with the text, and many short
   * matches that each look to its end take more: it is given up, undefined, when time is over. That
   * is asked between matches and between stretches of a long text, in which a match can be so long
   * as they overlap.
   */
  readonly matches: (
    text: string,
    isOver?: () => boolean,
  ) => readonly (readonly [start: number, end: number])[] | undefined;
}

/** @throws PatternError when it is none, or would match nothing at all. */
export function compilePattern({ name, pattern, ignoreCase }: RedactionPattern): CompiledPattern {
  const compiled = compiledOf(pattern, ignoreCase === true);
  if (compiled.matcher('').matches()) {
    throw new PatternError('it matches the empty text, so it would match everywhere');
  }
  return {
    name,
    matches: (text, isOver = () => false) => {
      const found: Place[] = [];
      const long = isAnchored(pattern) ? text.length : STRETCH_CHARACTERS;
      for (let from = 0, done = 0; from === 0 || done < text.length; from = done) {
        if (from > 0 && isOver()) return undefined;
        const to = Math.min(text.length, from + long + OVERLAP_CHARACTERS);
        // What begins in the overlap is found again, whole, by the next stretch.
        const next = to === text.length ? to : from + long;
        const hits = matchesIn(compiled, text, { from, to, next }, isOver);
        if (hits === undefined) return undefined;
        found.push(...hits);
        done = Math.max(next, hits.at(-1)?.[1] ?? 0);
        if (to === text.length) return found;
      }
      return found;
    },
  };
}

type Place = readonly [start: number, end: number];

interface Stretch {
  readonly from: number;
  readonly to: number;
  /** Matches that begin from here on are left to the next one. */
  readonly next: number;
}

/** So much is searched in a few milliseconds. */
const STRETCH_CHARACTERS = 16 * 1_024;
const OVERLAP_CHARACTERS = 8 * 1_024;

/** Where a stretch begins or ends would be taken for the text's own beginning or end. */
function isAnchored(pattern: string): boolean {
  return /[\^$]|\\[AzbB]/.test(pattern.replaceAll(/\[\^/g, '['));
}

function matchesIn(
  compiled: RE2JS,
  text: string,
  { from, to, next }: Stretch,
  isOver: () => boolean,
): readonly Place[] | undefined {
  const matcher = compiled.matcher(text.slice(from, to));
  const found: Place[] = [];
  while (matcher.find()) {
    if (isOver()) return undefined;
    const [start, end] = [from + matcher.start(), from + matcher.end()];
    if (start >= next) break;
    if (end > start) found.push([start, end]);
  }
  return found;
}

export class PatternError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PatternError';
  }
}

function compiledOf(pattern: string, ignoreCase: boolean): RE2JS {
  try {
    return RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  } catch (error) {
    throw new PatternError(error instanceof Error ? error.message : String(error));
  }
}
