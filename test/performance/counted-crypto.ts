import * as crypto from 'node:crypto';
import { jest } from '@jest/globals';

/** What the program had its ciphers and hashes do, over all its modules. */
export interface CryptoCounts {
  seals: number;
  opens: number;
  /** What was hashed without a key: ids, and the chain over the events. */
  hashed: string[];
  /** What was hashed under the key of a session or a tenant. */
  keyedHashed: string[];
}

/**
 * Counts what modules do that are imported after this call, by `await import(…)`. What is counted is
 * the same on every machine.
 */
export function countCrypto(): CryptoCounts {
  const counts: CryptoCounts = { seals: 0, opens: 0, hashed: [], keyedHashed: [] };
  const counted = {
    createCipheriv: (...given: Parameters<typeof crypto.createCipheriv>) => {
      counts.seals += 1;
      return crypto.createCipheriv(...given);
    },
    createDecipheriv: (...given: Parameters<typeof crypto.createDecipheriv>) => {
      counts.opens += 1;
      return crypto.createDecipheriv(...given);
    },
    hash: (algorithm: string, text: string, encoding: 'hex') => {
      counts.hashed.push(text);
      return crypto.hash(algorithm, text, encoding);
    },
    createHmac: (algorithm: string, key: crypto.KeyObject) => {
      const hmac = crypto.createHmac(algorithm, key);
      const update = hmac.update.bind(hmac);
      hmac.update = (content: string) => {
        counts.keyedHashed.push(content);
        return update(content);
      };
      return hmac;
    },
  };
  jest.unstable_mockModule('node:crypto', () => ({ ...crypto, ...counted, default: crypto }));
  return counts;
}
