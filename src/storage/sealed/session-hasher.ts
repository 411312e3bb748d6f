import { createHmac } from 'node:crypto';
import type { SessionHasher } from '../../tokens.js';
import type { SessionKeys } from './session-keys.js';

/** The hash keys of sessions that have no key of their own. */
export interface CommonHashKeys {
  sessionHmac(tenantId: string, sessionId: string, content: Uint8Array | string): string;
}

/** What content of an erased session hashes to: nobody may guess from it what it was. */
const ERASED = '0'.repeat(64);

/**
 * Hashes with the session's own key; of sessions from before there were any, with one that comes
 * of the installation's secret.
 */
export function hasherOf(keys: SessionKeys, common: CommonHashKeys): SessionHasher {
  return async (tenantId, sessionId) => {
    const access = await keys.expected({ tenantId, sessionId });
    if (access.kind === 'erased') return () => ERASED;
    if (access.kind === 'unsealed') {
      return (content) => common.sessionHmac(tenantId, sessionId, content);
    }
    const { hash } = access.key;
    return (content) => createHmac('sha256', hash).update(content).digest('hex');
  };
}
