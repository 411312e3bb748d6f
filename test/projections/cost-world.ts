import type { SessionEvent } from '../../src/domain/events.js';
import {
  type CostSeries,
  GetCostSeries,
  GetCostSeriesHandler,
} from '../../src/projections/cost-series/cost-series.query.js';
import { type WrittenWish, seriesWishOf } from '../../src/projections/cost-series/series-wish.js';
import {
  type CostScope,
  GetSessionCost,
  GetSessionCostHandler,
  type SessionCost,
} from '../../src/projections/cost-tree/cost-tree.query.js';
import { costTreeProjection } from '../../src/projections/cost-tree/cost-tree-projection.js';
import { ProjectionWorld, TENANT } from './projection-world.js';
import {
  inputAccepted,
  inputDelivered,
  priced,
  runClaimed,
  settled,
  usage,
} from './session-events.js';

/** Asks for costs after the log has been followed to its end. */
export class CostWorld extends ProjectionWorld {
  private calls = 0;

  async cost(
    sessionId: string,
    scope: CostScope = {},
    tenantId = TENANT,
  ): Promise<SessionCost | undefined> {
    await this.catchUp(costTreeProjection);
    const handler = new GetSessionCostHandler(this.queries([costTreeProjection]), this.events);
    return (await handler.execute(new GetSessionCost(tenantId, sessionId, scope))).cost;
  }

  async series(wish: Partial<WrittenWish> = {}, tenantId = TENANT): Promise<CostSeries> {
    await this.catchUp(costTreeProjection);
    const handler = new GetCostSeriesHandler(this.queries([costTreeProjection]));
    const written = { groupBy: 'day', ...wish };
    return handler.execute(new GetCostSeries(tenantId, seriesWishOf(written)));
  }

  /** A call with a key of its own. */
  call(pico: bigint | number, data: Partial<Parameters<typeof settled>[1]> = {}): SessionEvent {
    this.calls += 1;
    return settled(`call-${this.calls}`, {
      usage: usage({ inputFresh: 100, outputText: 10 }),
      cost: priced(BigInt(pico)),
      ...data,
    });
  }
}

/** A run that an input of `author` has caused. */
export function runOf(author: string, runId: string): SessionEvent[] {
  const inputId = `input-of-${runId}`;
  return [
    inputAccepted(inputId, 'Do it.', { author }),
    runClaimed({ runId, inputIds: [inputId] }),
    { ...inputDelivered(inputId), data: { inputId, runId, messageId: `message-of-${runId}` } },
  ] as SessionEvent[];
}

export function picoOf(
  figures: { readonly amounts: readonly { readonly amountPico: string }[] } | undefined,
): string {
  return figures?.amounts.map(({ amountPico }) => amountPico).join('+') ?? 'none';
}
