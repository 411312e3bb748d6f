import { SessionRepository } from '../commands/session-repository.js';
import { SteadyTimes } from '../commands/steady-times.js';
import { RECONCILER_LEASE } from '../reconciliation/reconciler.js';
import { accountOfStream, sessionStreams } from '../reconciliation/sweep.js';
import { EventCodec } from '../storage/event-codec.js';
import { isEventDamage } from '../storage/event-damage.js';
import { withPorts } from './with-ports.js';

const NAMED_MAX = 5;

/** Every session is owned, scheduled, waiting for somebody named, or at rest; or it is named here. */
export function examineSessions(): Promise<{ readonly ok: boolean; readonly seen: string }> {
  return withPorts(async ({ events, leases }) => {
    const times = new SteadyTimes(() => performance.now(), Date.now);
    const sessions = new SessionRepository(events, new EventCodec(), times);
    const counts = { owned: 0, scheduled: 0, waiting: 0, resting: 0, unaccounted: 0 };
    const stuck: string[] = [];
    const damaged: string[] = [];
    for await (const stream of sessionStreams(events)) {
      const ports = { events, leases, sessions, clock: Date.now };
      try {
        const { account, state } = await accountOfStream(stream, ports);
        counts[account.class] += 1;
        if (account.class === 'unaccounted') stuck.push(state.sessionId);
      } catch (error) {
        if (!isEventDamage(error)) throw error;
        damaged.push(error.message);
      }
    }
    const { owned, scheduled, waiting, resting } = counts;
    const sound = `${owned} owned, ${scheduled} scheduled, ${waiting} waiting, ${resting} at rest`;
    const seen = damaged.length === 0 ? sound : `${sound}, ${damagedText(damaged)}`;
    if (stuck.length === 0) return { ok: damaged.length === 0, seen };
    const isReconciled = (await leases.current(RECONCILER_LEASE)) !== undefined;
    const named = stuck.slice(0, NAMED_MAX).join(', ');
    const which = `${stuck.length} with a step overdue (${named})`;
    const advice = isReconciled
      ? 'a server runs and does not take it: see session_unaccounted in its log, and report it'
      : 'no server takes it: start one';
    return { ok: !isReconciled && damaged.length === 0, seen: `${seen}, ${which}; ${advice}` };
  });
}

/** Nobody can go on with them; the others are not held up. */
function damagedText(problems: readonly string[]): string {
  const named = problems.slice(0, NAMED_MAX).join('; ');
  return `${problems.length} quarantined with damaged events (${named})`;
}
