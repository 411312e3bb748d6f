import type { Variable } from './variable.js';

/** When a worker or an instance counts as lost, and what then happens by itself. */
export const recoveryVariables = {
  leaseTtlMs: {
    name: 'HOLDFAST_LEASE_TTL_MS',
    usedBy: 'server',
    kind: 'wholeNumber',
    min: 1_000,
    max: 3_600_000,
    default: '30000',
    meaning:
      'Milliseconds after its last heartbeat until a worker counts as lost and its session may ' +
      'be claimed by another.',
  },
  instanceLeaseTtlMs: {
    name: 'HOLDFAST_INSTANCE_LEASE_TTL_MS',
    usedBy: 'server',
    kind: 'wholeNumber',
    min: 1_000,
    max: 600_000,
    default: '10000',
    meaning:
      'Milliseconds after which another instance takes over read models and reconciliation from ' +
      'one that is gone.',
  },
  noProgressMs: {
    name: 'HOLDFAST_NO_PROGRESS_MS',
    usedBy: 'server',
    kind: 'wholeNumber',
    min: 1_000,
    max: 86_400_000,
    default: '300000',
    meaning:
      'Milliseconds that a worker may hold a session and record nothing, while no call, model or ' +
      'person keeps it waiting; then its run is quarantined.',
  },
  recoveryMode: {
    name: 'HOLDFAST_RECOVERY',
    usedBy: 'server',
    kind: 'choice',
    choices: ['auto', 'manual'],
    default: 'auto',
    meaning:
      'What becomes of the lost run of a session that was begun without a `recoveryMode` of its own. ' +
      'auto: the next worker gets it. manual: it waits for its user.',
  },
} as const satisfies Readonly<Record<string, Variable>>;
