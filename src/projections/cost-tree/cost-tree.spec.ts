import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  childStarted,
  forked,
  priced,
  sessionStarted,
  settled,
  usage,
} from '../../../test/projections/session-events.js';
import { ProjectionWorld, TENANT } from '../../../test/projections/projection-world.js';
import type { SessionEvent } from '../../domain/events.js';
import {
  type CostScope,
  GetChildCosts,
  GetChildCostsHandler,
  GetSessionCost,
  GetSessionCostHandler,
} from './cost-tree.query.js';
import { costTreeProjection } from './cost-tree-projection.js';

let world: ProjectionWorld;

beforeEach(() => {
  world = new ProjectionWorld();
});

async function costOf(sessionId: string, scope: CostScope = {}, tenantId = TENANT) {
  await world.catchUp(costTreeProjection);
  const handler = new GetSessionCostHandler(world.queries([costTreeProjection]), world.events);
  return (await handler.execute(new GetSessionCost(tenantId, sessionId, scope))).cost;
}

function call(key: string, pico: bigint | number): SessionEvent {
  return settled(key, {
    usage: usage({ inputFresh: 100, outputText: 10 }),
    cost: priced(BigInt(pico)),
  });
}

function picoOf(figures: { amounts: readonly { amountPico: string }[] } | undefined) {
  return figures?.amounts.map(({ amountPico }) => amountPico);
}

describe('the cost of a session', () => {
  it('has the exact sums of its calls, by model and by purpose', async () => {
    await world.append('s1', [
      sessionStarted('s1'),
      call('k1', 9_007_199_254_740_993n),
      settled('k2', {
        purpose: 'compaction',
        responseModel: 'claude-haiku-4-5',
        usage: usage({ inputFresh: 7, cacheRead: 5 }),
        cost: priced(2n),
      }),
    ]);
    const cost = await costOf('s1');
    expect(cost).toMatchObject({
      sessionId: 's1',
      known: true,
      own: {
        amounts: [
          {
            currency: 'USD',
            amountPico: '9007199254740995',
            amount: '9007.199254740995',
            bySource: { local: '9007199254740995' },
          },
        ],
        calls: 2,
        complete: true,
        usage: { inputFresh: '107', cacheRead: '5', outputText: '10' },
      },
      descendants: { calls: 0, amounts: [], complete: true },
      byPurpose: [
        { purpose: 'compaction', calls: 1 },
        { purpose: 'turn', calls: 1 },
      ],
      byModel: [
        { provider: 'anthropic', model: 'claude-haiku-4-5', calls: 1 },
        { provider: 'anthropic', model: 'claude-sonnet-4-5', calls: 1 },
      ],
      children: [],
    });
  });

  it('U32: never adds two currencies', async () => {
    await world.append('s1', [
      sessionStarted('s1'),
      settled('k1', { usage: usage({ inputFresh: 1 }), cost: priced(5n, 'USD') }),
      settled('k2', { usage: usage({ inputFresh: 1 }), cost: priced(7n, 'CNY') }),
    ]);
    const cost = await costOf('s1');
    expect(cost?.own.amounts).toMatchObject([
      { currency: 'CNY', amountPico: '7' },
      { currency: 'USD', amountPico: '5' },
    ]);
  });

  it('U27: counts calls and tokens without a price, and tells them from free ones', async () => {
    await world.append('s1', [
      sessionStarted('s1'),
      settled('free', { usage: usage({ inputFresh: 10 }), cost: priced(0n) }),
    ]);
    await world.append('s2', [
      sessionStarted('s2'),
      settled('unpriced', {
        usage: usage({ inputFresh: 10, outputText: 2 }),
        cost: { amountPico: null, currency: 'USD', source: 'local', reason: 'no_card' },
      }),
    ]);
    expect((await costOf('s1'))?.own).toMatchObject({
      amounts: [{ currency: 'USD', amountPico: '0', amount: '0' }],
      unpricedCalls: 0,
      complete: true,
    });
    expect((await costOf('s2'))?.own).toMatchObject({
      amounts: [],
      unpricedCalls: 1,
      unpricedTokens: '12',
      complete: false,
    });
  });

  it('counts interrupted calls as partial or unknown, and unsent ones not at all', async () => {
    await world.append('s1', [
      sessionStarted('s1'),
      settled('cut', {
        outcome: 'interrupted',
        usage: usage({ inputFresh: 10 }, 'partial'),
        cost: priced(3n),
      }),
      settled('lost', { outcome: 'interrupted', providerReached: 'maybe' }),
      settled('unsent', { outcome: 'notSent', providerReached: 'no' }),
      settled('refused', { outcome: 'providerError' }),
      settled('stopped', { outcome: 'stopped', providerReached: 'no' }),
    ]);
    expect((await costOf('s1'))?.own).toMatchObject({
      calls: 2,
      partialCalls: 1,
      unknownUsageCalls: 1,
      unpricedCalls: 0,
      complete: false,
      amounts: [{ amountPico: '3' }],
    });
  });

  it('does not show another tenant anything', async () => {
    await world.append('s1', [sessionStarted('s1'), call('k1', 5)], 'acme');
    await world.append('s1', [sessionStarted('s1'), call('k1', 7)], 'umbrella');
    expect(picoOf((await costOf('s1'))?.own)).toEqual(['5']);
    expect(picoOf((await costOf('s1', {}, 'umbrella'))?.own)).toEqual(['7']);
    expect(await costOf('s1', {}, 'nobody')).toBeUndefined();
  });
});

describe('the tree', () => {
  it('U11, U12: a fork starts at 0 and everything below counts once above', async () => {
    await world.append('root', [sessionStarted('root'), call('k1', 1)]);
    await world.append('agent', [childStarted('agent', 'root'), call('k2', 10)]);
    await world.append('fork', [forked('fork', 'root')]);
    expect((await costOf('fork'))?.inclusive.calls).toBe(0);
    await world.append('fork', [call('k3', 100)]);
    await world.append('deep', [childStarted('deep', 'fork'), call('k4', 1_000)]);
    await world.append('next', [childStarted('next', 'root', 'continuation'), call('k5', 10_000)]);
    const root = await costOf('root');
    expect(picoOf(root?.own)).toEqual(['1']);
    expect(picoOf(root?.descendants)).toEqual(['11110']);
    expect(picoOf(root?.inclusive)).toEqual(['11111']);
    expect(picoOf(root?.byEdge.subagent)).toEqual(['10']);
    expect(picoOf(root?.byEdge.fork)).toEqual(['1100']);
    expect(picoOf(root?.byEdge.continuation)).toEqual(['10000']);
    expect(
      root?.children.map(({ sessionId, inclusive }) => [sessionId, picoOf(inclusive)]),
    ).toEqual([
      ['agent', ['10']],
      ['fork', ['1100']],
      ['next', ['10000']],
    ]);
    const withoutForks = await costOf('root', { edges: ['subagent', 'continuation'] });
    expect(picoOf(withoutForks?.inclusive)).toEqual(['10011']);
    expect(withoutForks?.children.map(({ sessionId }) => sessionId)).toEqual(['agent', 'next']);
  });

  it('pages through the children', async () => {
    await world.append('root', [sessionStarted('root')]);
    for (let index = 0; index < 5; index += 1) {
      const startedAt = `2026-01-0${9 - index}T00:00:00.000Z`;
      const child = childStarted(`c${index}`, 'root', 'subagent', { startedAt });
      await world.append(`c${index}`, [child]);
    }
    await world.catchUp(costTreeProjection);
    const handler = new GetChildCostsHandler(world.queries([costTreeProjection]));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const query = new GetChildCosts(TENANT, 'root', {}, { limit: 2, cursor });
      const page = await handler.execute(query);
      seen.push(...page.children.map(({ sessionId }) => sessionId));
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(['c4', 'c3', 'c2', 'c1', 'c0']);
  });

  it('shows a parent that has not been seen, and joins the parts when it comes', async () => {
    await world.append('leaf', [childStarted('leaf', 'middle'), call('k1', 5)]);
    expect(await costOf('middle')).toMatchObject({ known: false, inclusive: { calls: 1 } });
    await world.append('root', [sessionStarted('root'), call('k2', 1)]);
    await world.append('middle', [forked('middle', 'root'), call('k3', 2)]);
    expect(await costOf('middle')).toMatchObject({ known: true, parentId: 'root', edge: 'fork' });
    const root = await costOf('root');
    expect(picoOf(root?.inclusive)).toEqual(['8']);
    expect(picoOf(root?.byEdge.fork)).toEqual(['7']);
  });

  it('cuts a circle of parents at the same place in any order', async () => {
    const circle: [string, SessionEvent[]][] = [
      ['a', [childStarted('a', 'b'), call('ka', 1)]],
      ['b', [childStarted('b', 'c'), call('kb', 10)]],
      ['c', [childStarted('c', 'a'), call('kc', 100)]],
      ['d', [childStarted('d', 'd'), call('kd', 1_000)]],
    ];
    const seen: unknown[] = [];
    for (const order of [circle, [...circle].reverse()]) {
      world = new ProjectionWorld();
      for (const [id, events] of order) await world.append(id, events);
      const amounts: unknown[] = [];
      for (const id of ['a', 'b', 'c', 'd']) amounts.push(picoOf((await costOf(id))?.inclusive));
      seen.push(amounts);
    }
    expect(seen[0]).toEqual([['111'], ['10'], ['110'], ['1000']]);
    expect(seen[1]).toEqual(seen[0]);
  });
});

describe('a request that several sessions hold', () => {
  const early = '2026-01-01T00:00:00Z';
  const late = '2026-01-01T00:00:00.500Z';

  it('U04: belongs to the ancestor, which takes it over when it comes later', async () => {
    await world.append('copy', [childStarted('copy', 'origin', 'continuation'), call('k', 5)]);
    expect(picoOf((await costOf('copy'))?.own)).toEqual(['5']);
    const origin = sessionStarted('origin', { startedAt: '2027-01-01T00:00:00Z' });
    await world.append('origin', [origin, call('k', 5)]);
    expect((await costOf('copy'))?.own).toMatchObject({ calls: 0, amounts: [], usage: {} });
    expect((await costOf('origin'))?.own).toMatchObject({ calls: 1 });
    expect((await costOf('origin'))?.inclusive).toMatchObject({ calls: 1 });
  });

  it('belongs to the one that started first, then to the smallest id', async () => {
    await world.append('c', [sessionStarted('c', { startedAt: late }), call('k', 5)]);
    await world.append('b', [sessionStarted('b', { startedAt: early }), call('k', 5)]);
    await world.append('a', [sessionStarted('a', { startedAt: early }), call('k', 5)]);
    expect((await costOf('c'))?.own.calls).toBe(0);
    expect((await costOf('b'))?.own.calls).toBe(0);
    expect((await costOf('a'))?.own.calls).toBe(1);
  });

  it('U02: counts its best report, whichever came first', async () => {
    const partial = settled('k', {
      usage: usage({ inputFresh: 10, outputText: 1 }, 'partial'),
      cost: priced(3n),
    });
    const final = settled('k', {
      usage: usage({ inputFresh: 10, outputText: 6_840 }),
      cost: priced(900n),
    });
    for (const order of [
      [partial, final],
      [final, partial],
    ]) {
      world = new ProjectionWorld();
      await world.append('s1', [sessionStarted('s1'), ...order]);
      expect((await costOf('s1'))?.own).toMatchObject({
        calls: 1,
        partialCalls: 0,
        usage: { inputFresh: '10', outputText: '6840' },
        amounts: [{ amountPico: '900' }],
      });
    }
  });

  it('keeps the price when another log holds the same usage without one', async () => {
    const used = usage({ inputFresh: 10 });
    await world.append('a', [sessionStarted('a'), settled('k', { usage: used, cost: priced(7n) })]);
    await world.append('b', [sessionStarted('b'), settled('k', { usage: used })]);
    expect(picoOf((await costOf('a'))?.own)).toEqual(['7']);
  });
});
