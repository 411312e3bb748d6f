import type { LeaseView } from '../domain/commands.js';
import { sessionStream } from '../identity/derived-ids.js';
import type { Lease } from '../storage/lease-store.js';
import type { CommandScope } from './command-scope.js';

/** A session's lease bears its stream's name; the holder is the hash of the claim token. */
export function leaseName(scope: Pick<CommandScope, 'tenantId' | 'sessionId'>): string {
  return sessionStream(scope.tenantId, scope.sessionId);
}

export function leaseView(lease: Lease | undefined): LeaseView {
  if (lease === undefined) return { live: false };
  return {
    live: true,
    holder: lease.holder,
    expiresAt: new Date(lease.expiresAtMs).toISOString(),
  };
}
