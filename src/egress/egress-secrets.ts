import { readFile, stat } from 'node:fs/promises';
import { EgressError } from './egress-error.js';

/** A secret header value and the only origin that it is sent to. */
interface EgressSecret {
  readonly origin: string;
  readonly value: string;
}

export type SecretReader = (name: string, origin: string) => Promise<string>;

/**
 * Secrets by name from the operator's file, `{"name": {"origin": "https://…", "value": "Bearer …"}}`.
 * Read for every use: a rotated secret needs no restart, and none stays in memory.
 */
export function secretsIn(file: string): SecretReader {
  return async (name, origin) => {
    const secret = Object.entries(await readSecrets(file)).find(([known]) => known === name)?.[1];
    if (secret === undefined) {
      throw new EgressError('secretUnavailable', `there is no secret ${name} in ${file}`);
    }
    if (secret.origin !== origin) {
      throw new EgressError('secretUnavailable', `secret ${name} is not for ${origin}`);
    }
    return secret.value;
  };
}

async function readSecrets(file: string): Promise<Readonly<Record<string, EgressSecret>>> {
  try {
    const { mode } = await stat(file);
    if ((mode & 0o077) !== 0) {
      throw new EgressError('secretUnavailable', `${file} is readable by others: chmod 600 it`);
    }
    return checked(JSON.parse(await readFile(file, 'utf8')), file);
  } catch (error) {
    if (error instanceof EgressError) throw error;
    // A parser's message quotes the text: it would carry a secret into a log.
    throw new EgressError('secretUnavailable', `${file} is missing or is not JSON`);
  }
}

function checked(value: unknown, file: string): Readonly<Record<string, EgressSecret>> {
  const entries = typeof value === 'object' && value !== null ? Object.values(value) : [undefined];
  const isSound = entries.every(
    (entry: unknown) =>
      typeof entry === 'object' &&
      entry !== null &&
      'origin' in entry &&
      typeof entry.origin === 'string' &&
      'value' in entry &&
      typeof entry.value === 'string' &&
      /^[\x20-\x7e]{1,4096}$/.test(entry.value),
  );
  if (!isSound) {
    throw new EgressError('secretUnavailable', `${file}: every secret needs an origin and a value`);
  }
  return value as Readonly<Record<string, EgressSecret>>;
}
