import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  childStarted,
  priced,
  repriced,
  sessionStarted,
  settled,
  usage,
  usageReported,
} from '../../../test/projections/session-events.js';
import { ProjectionWorld, TENANT } from '../../../test/projections/projection-world.js';
import { unknownUsage } from '../../domain/usage.js';
import { GetSessionCost, GetSessionCostHandler } from './cost-tree.query.js';
import { costTreeProjection } from './cost-tree-projection.js';

let world: ProjectionWorld;

beforeEach(() => {
  world = new ProjectionWorld();
});

async function inclusiveOf(sessionId: string) {
  await world.catchUp(costTreeProjection);
  const handler = new GetSessionCostHandler(world.queries([costTreeProjection]), world.events);
  return (await handler.execute(new GetSessionCost(TENANT, sessionId))).cost!.inclusive;
}

const lost = settled('call:child/c1', {
  outcome: 'interrupted',
  usage: unknownUsage('local'),
  cost: { amountPico: null, currency: 'USD', source: 'local', reason: 'usage_unknown' },
});

describe('usage that comes late', () => {
  beforeEach(async () => {
    await world.append('root', [sessionStarted('root')]);
    await world.append('child', [childStarted('child', 'root'), lost]);
  });

  it('U33: replaces what was unknown, at the session and above it', async () => {
    expect(await inclusiveOf('root')).toMatchObject({ calls: 1, unknownUsageCalls: 1 });
    await world.append('child', [usageReported('call:child/c1')]);
    for (const id of ['child', 'root']) {
      expect(await inclusiveOf(id)).toMatchObject({
        amounts: [{ amountPico: '450' }],
        calls: 1,
        unknownUsageCalls: 0,
        complete: true,
        usage: { inputFresh: '100', outputText: '10' },
      });
    }
  });

  it('counts once with a log that holds the same provider request', async () => {
    const callKey = 'response:anthropic:msg_1';
    const copy = settled(callKey, { usage: usage({ inputFresh: 100, outputText: 10 }) });
    await world.append('imported', [sessionStarted('imported'), copy]);
    const named = usageReported('call:child/c1', { callKey, formerCallKey: 'call:child/c1' });
    await world.append('child', [named]);
    const owners = [(await inclusiveOf('root')).calls, (await inclusiveOf('imported')).calls];
    expect(owners).toEqual([1, 0]);
    expect(await inclusiveOf('root')).toMatchObject({ amounts: [{ amountPico: '450' }] });
  });
});

describe('imported usage', () => {
  const key = 'response:anthropic:msg_1';
  const read = { ...usage({ inputFresh: 100, outputText: 10 }), source: 'imported' as const };

  it('is a part of the figures that says so', async () => {
    await world.append('root', [sessionStarted('root')]);
    const log = settled(key, { usage: read, cost: priced(500n) });
    const own = settled('k2', { usage: usage({ inputFresh: 1 }), cost: priced(7n) });
    await world.append('child', [childStarted('child', 'root'), log, own]);
    expect(await inclusiveOf('root')).toMatchObject({
      calls: 2,
      amounts: [{ amountPico: '507' }],
      imported: { calls: 1, amounts: [{ currency: 'USD', amountPico: '500' }] },
    });
  });

  it('is not imported where a session here has made the request, whichever is known first', async () => {
    const log = [sessionStarted('a'), settled(key, { usage: read, cost: priced(500n) })];
    const less = { usage: usage({ inputFresh: 100 }, 'partial'), cost: priced(400n) };
    const own = [sessionStarted('b'), settled(key, less)];
    for (const order of [[log, own] as const, [own, log] as const]) {
      world = new ProjectionWorld();
      for (const events of order) await world.append(events === log ? 'a' : 'b', events);
      expect((await inclusiveOf('a')).calls).toBe(0);
      const figures = await inclusiveOf('b');
      expect(figures).toMatchObject({ calls: 1, amounts: [{ amountPico: '500' }] });
      expect(figures.imported).toBeUndefined();
    }
  });
});

describe('calls that were re-priced', () => {
  const used = { usage: usage({ inputFresh: 100 }) };

  it('U26: count with the new price, and what was recorded stays readable', async () => {
    await world.append('s1', [
      sessionStarted('s1'),
      settled('k1', { ...used, cost: priced(500n) }),
      settled('k2', { ...used, cost: { amountPico: null, currency: 'USD', source: 'local' } }),
      settled('k3', { ...used, cost: priced(7n) }),
    ]);
    const before = await inclusiveOf('s1');
    expect(before).toMatchObject({ amounts: [{ amountPico: '507' }], unpricedCalls: 1 });
    expect(before.asRecorded).toBeUndefined();
    await world.append('s1', [repriced({ k1: 300n, k2: 20n })]);
    expect(await inclusiveOf('s1')).toMatchObject({
      amounts: [{ amountPico: '327' }],
      unpricedCalls: 0,
      complete: true,
      repricedCalls: 2,
      asRecorded: { amounts: [{ amountPico: '507', amount: '0.000000000507' }], unpricedCalls: 1 },
    });
    await world.append('s1', [repriced({ k1: 400n })]);
    expect(await inclusiveOf('s1')).toMatchObject({
      amounts: [{ amountPico: '427' }],
      repricedCalls: 2,
      asRecorded: { amounts: [{ amountPico: '507' }], unpricedCalls: 1 },
    });
  });

  it('keep their new price when another session turns out to hold them too', async () => {
    const seen = settled('k1', { ...used, cost: priced(500n) });
    await world.append('a', [sessionStarted('a'), seen, repriced({ k1: 300n })]);
    await world.append('b', [sessionStarted('b'), seen]);
    expect((await inclusiveOf('a')).amounts).toMatchObject([{ amountPico: '300' }]);
    expect((await inclusiveOf('b')).calls).toBe(0);
  });

  it('give way to better usage that comes after the re-pricing', async () => {
    const partial = settled('k1', {
      usage: usage({ inputFresh: 10 }, 'partial'),
      cost: priced(5n),
    });
    await world.append('a', [sessionStarted('a'), partial, repriced({ k1: 3n })]);
    await world.append('a', [usageReported('k1')]);
    expect(await inclusiveOf('a')).toMatchObject({
      amounts: [{ amountPico: '450' }],
      partialCalls: 0,
      repricedCalls: 0,
    });
  });
});
