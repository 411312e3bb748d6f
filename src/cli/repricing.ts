import type { RepriceCallsBody } from '../commands/reprice-calls/reprice-calls.dto.js';
import { RepriceCalls, type Repricing } from '../commands/reprice-calls/reprice-calls.handler.js';
import { addTotals } from '../pricing/plan-repricing.js';
import type { LocalApplication } from './local-application.js';
import { progressBar } from './progress.js';

const SHOWN_MAX = 100;

/** The whole log, part by part; interrupted, it can be started again. */
export async function repriceAll(
  { commands, scope, ports }: LocalApplication,
  body: Omit<RepriceCallsBody, 'after'>,
): Promise<Repricing> {
  const { tenantId, actor } = scope('');
  const head = await ports.events.headPosition();
  const progress = progressBar({
    unit: 'positions',
    interrupted: 'what is priced anew stays; the same command goes on with the rest',
  });
  const parts: Repricing[] = [];
  try {
    for (let after: string | undefined; ;) {
      const part: Repricing = await commands.execute(
        new RepriceCalls({ tenantId, actor }, { ...body, after }),
      );
      parts.push(part);
      progress.update(Number(part.next ?? head), Number(head));
      // What is written now stands behind the old head: there is nothing to price in it.
      if (part.next === undefined || BigInt(part.next) >= head) break;
      after = part.next;
    }
  } finally {
    progress.stop();
  }
  const { repricingId, dryRun } = body;
  return {
    repricingId,
    dryRun,
    sessions: parts.reduce((sum, { sessions }) => sum + sessions, 0),
    ...addTotals(parts),
    changes: parts.flatMap(({ changes }) => changes).slice(0, SHOWN_MAX),
  };
}
