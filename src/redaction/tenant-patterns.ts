import { RE2JS } from 're2js';
import type { RedactionPattern } from '../domain/redaction/redaction-policy.js';

export interface CompiledPattern {
  readonly name: string;
  /**
   * Places of all matches, in order. One search takes time that grows with the text only; many short
   * matches that each look to its end do not, so it is given up, undefined, when time is over.
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
      const matcher = compiled.matcher(text);
      const found: [number, number][] = [];
      while (matcher.find()) {
        if (isOver()) return undefined;
        if (matcher.end() > matcher.start()) found.push([matcher.start(), matcher.end()]);
      }
      return found;
    },
  };
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
