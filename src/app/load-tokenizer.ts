import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Tokenizer } from '../context/tokenizer.js';

/** The module cannot be loaded, or what it exports is no tokenizer. */
export class TokenizerError extends Error {
  constructor(module: string, reason: string, options?: ErrorOptions) {
    super(
      `HOLDFAST_TOKENIZER is ${module}: ${reason}. It must be a module that exports ` +
        '`tokenizer`: {name, countTokens(text, model), charactersMax?}',
      options,
    );
    this.name = 'TokenizerError';
  }
}

/**
 * @param module absolute path of a module, or the name of an installed package.
 * @throws TokenizerError
 */
export async function loadTokenizer(module: string | undefined): Promise<Tokenizer | undefined> {
  if (module === undefined) return undefined;
  const address = isAbsolute(module) ? pathToFileURL(module).href : module;
  let loaded: Readonly<Record<string, unknown>>;
  try {
    loaded = (await import(address)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw new TokenizerError(module, String(error), { cause: error });
  }
  const { tokenizer } = loaded;
  if (!isTokenizer(tokenizer)) throw new TokenizerError(module, 'it exports no such tokenizer');
  return tokenizer;
}

function isTokenizer(value: unknown): value is Tokenizer {
  if (typeof value !== 'object' || value === null) return false;
  const { name, countTokens, charactersMax } = value as Partial<Record<keyof Tokenizer, unknown>>;
  const isCapped = charactersMax === undefined || Number.isSafeInteger(charactersMax);
  return typeof name === 'string' && name !== '' && typeof countTokens === 'function' && isCapped;
}
