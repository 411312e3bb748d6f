import type { HandledCommand } from '../../src/commands/handle-command.js';
import { sessionStream } from '../../src/identity/derived-ids.js';
import type { Violated } from '../protocol/watched-call.js';
import type { SharedStores } from './faulty-stores.js';
import type { HistoryWatch } from './history-watch.js';
import { type Server, TENANT } from './server.js';

/** Whatever a client was told is in the log, at the place that it was told (I-18). */
export async function checkAcknowledged(
  receipts: readonly HandledCommand['receipt'][],
  { events }: SharedStores,
  violated: Violated,
): Promise<void> {
  for (const { sessionId, revision, position } of receipts) {
    const stream = sessionStream(TENANT, sessionId);
    const [stored] = await events.read(stream, { from: revision, maxCount: 1 });
    if (String(stored?.position) !== position) {
      violated('I-18', `revision ${revision} was acknowledged, and is not there`);
    }
  }
}

/** Of a session that was never begun: its fork was refused. */
const NOTHING = { calls: 0 };

/** Each model call counts once, in its own session and in all above it. */
export async function checkCosts(
  watches: ReadonlyMap<string, HistoryWatch>,
  server: Server,
  violated: Violated,
): Promise<void> {
  for (const [stream, { modelCalls }] of watches) {
    const cost = await server.costOf(stream);
    const below = (cost?.children ?? []).reduce((sum, one) => sum + one.inclusive.calls, 0);
    const { own, inclusive } = cost ?? { own: NOTHING, inclusive: NOTHING };
    if (own.calls === modelCalls && inclusive.calls === modelCalls + below) continue;
    const counted = `${own.calls} own calls, ${inclusive.calls} in all`;
    violated('cost', `${stream}: ${counted}; it made ${modelCalls}, those below it ${below}`);
  }
}
