import { undoingDue } from '../../src/domain/compensation.js';
import { callsOf, owesUndo } from '../../src/domain/state.js';
import { Owner } from './owner.js';
import { confirmStopped, probe, reconcile, resume } from './people.js';
import type { World } from './world.js';
import { TOOLS } from './world-tools.js';

const ROUNDS_MAX = 80;
const ESCALATIONS_EXPIRE_MS = 700_000;

/**
 * A fair end: what is under way arrives, timers fire, deadlines pass, a quarantined session is
 * resumed, and workers that do their work claim what is left to run. Nothing new is begun.
 */
export function finish(world: World, owners: readonly Owner[]): void {
  world.hasBudget = true;
  for (const owner of owners) owner.crash();
  world.pass(ESCALATIONS_EXPIRE_MS);
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    world.appendOneHeld();
    const { revision } = world.log.state;
    if (world.log.state.run?.status === 'quarantined') resume(world);
    reconcile(world);
    probe(world, 1_000);
    confirmStopped(world);
    workOnce(world);
    world.pass(2_000);
    if (world.log.state.revision !== revision) continue;
    if (isQuiet(world)) return;
    world.pass(ESCALATIONS_EXPIRE_MS);
  }
}

function isQuiet(world: World): boolean {
  const { state } = world.log;
  const open = callsOf(state).some(
    (call) =>
      ![
        'completed',
        'failed',
        'skipped',
        'applied',
        'notApplied',
        'abandoned',
        'compensated',
      ].includes(call.status),
  );
  return !open && state.run === undefined && !callsOf(state).some(owesUndo);
}

/** Claims the open run, makes the calls that may be made, and completes it if it can. */
function workOnce(world: World): void {
  const { run } = world.log.state;
  if (run?.status === 'stopping' || run?.status === 'quarantined') return;
  if (run === undefined && undoingDue(world.log.state) === undefined) return;
  const token = world.id('token');
  world.send({
    type: 'ClaimRun',
    commandId: token,
    now: world.now,
    runId: run?.runId ?? world.id('run'),
    workerId: 'worker-2',
    claimTokenHash: token,
    leaseTtlMs: 30_000,
    lease: { live: false },
    kind: 'agent',
    force: false,
    messageIdOf: (inputId) => `message-of-${inputId}`,
  });
  const { epoch, calls, run: claimed } = world.log.state;
  if (claimed === undefined) return;
  const owner = new Owner(world, { epoch, claimTokenHash: token }, claimed.runId, TOOLS);
  for (const call of Object.values(calls)) {
    if (call.status === 'requested' || call.status === 'retryAuthorized') owner.startCall(call);
  }
  while (owner.permits.length > 0) owner.usePermit();
  world.pass(100_000);
  owner.endRun();
  owner.crash();
}
