import { beforeEach, describe, expect, it } from '@jest/globals';
import { CostWorld, picoOf, runOf } from '../../../test/projections/cost-world.js';
import {
  childStarted,
  forked,
  inputAccepted,
  runClaimed,
  sessionStarted,
} from '../../../test/projections/session-events.js';
import type { SessionEvent } from '../../domain/events.js';
import type { CostScope } from './cost-tree.query.js';

let world: CostWorld;

beforeEach(() => {
  world = new CostWorld();
});

/** The groups as `[head, own, descendants, inclusive]`, amounts in pico. */
async function split(sessionId: string, scope: CostScope) {
  const cost = await world.cost(sessionId, scope);
  return cost?.groups?.map(({ own, descendants, inclusive, ...head }) => [
    head,
    [own, descendants, inclusive].map(picoOf).join(' '),
  ]);
}

function modelCallStarted(modelCallId: string, runId: string, epoch: number): SessionEvent {
  return {
    type: 'ModelCallStarted',
    data: {
      modelCallId,
      messageId: `message-of-${modelCallId}`,
      runId,
      epoch,
      purpose: 'turn',
      inputRevision: 0,
      startedAt: '2026-01-01T00:00:00.000Z',
    },
  };
}

describe('the cost of a tree, split', () => {
  it('by model, purpose and kind of child, at any depth', async () => {
    await world.append('root', [sessionStarted('root'), world.call(1)]);
    await world.append('agent', [
      childStarted('agent', 'root'),
      world.call(10, { responseModel: 'claude-haiku-4-5' }),
    ]);
    await world.append('fork', [forked('fork', 'root')]);
    await world.append('deep', [
      childStarted('deep', 'fork'),
      world.call(100, { purpose: 'compaction' }),
    ]);
    expect(await split('root', { by: 'model' })).toEqual([
      [{ provider: 'anthropic', model: 'claude-sonnet-4-5' }, '1 100 101'],
      [{ provider: 'anthropic', model: 'claude-haiku-4-5' }, ' 10 10'],
    ]);
    expect(await split('root', { by: 'purpose' })).toEqual([
      [{ purpose: 'turn' }, '1 10 11'],
      [{ purpose: 'compaction' }, ' 100 100'],
    ]);
    expect(await split('root', { by: 'kind' })).toEqual([
      [{ kind: 'own' }, '1  1'],
      [{ kind: 'subagent' }, ' 10 10'],
      [{ kind: 'fork' }, ' 100 100'],
    ]);
    expect(await split('root', { by: 'model', edges: ['fork', 'subagent'] })).toHaveLength(2);
    expect(await split('root', { by: 'kind', edges: ['subagent'] })).toEqual([
      [{ kind: 'own' }, '1  1'],
      [{ kind: 'subagent' }, ' 10 10'],
    ]);
  });

  it('by run and attempt: which retry burned it', async () => {
    await world.append('s1', [
      sessionStarted('s1'),
      ...runOf('ada', 'run-1'),
      modelCallStarted('first', 'run-1', 1),
      runClaimed({ runId: 'run-1', epoch: 2, reason: 'takeover' }),
      // The first owner's call ends when the second one owns the run: it stays the first attempt's.
      world.call(5, { modelCallId: 'first', runId: 'run-1' }),
      modelCallStarted('second', 'run-1', 2),
      world.call(700, { modelCallId: 'second', runId: 'run-1' }),
      ...runOf('ada', 'run-2'),
      world.call(9, { runId: 'run-2' }),
      world.call(1),
    ]);
    const run = (runId: string, attempt: number, reason: string) => ({
      sessionId: 's1',
      runId,
      attempt,
      reason,
      user: 'ada',
    });
    expect(await split('s1', { by: 'run' })).toEqual([
      [run('run-1', 1, 'start'), '5  5'],
      [run('run-1', 2, 'takeover'), '700  700'],
      [run('run-2', 1, 'start'), '9  9'],
      [{ sessionId: 's1', runId: null, attempt: null, reason: null, user: 'ada' }, '1  1'],
    ]);
  });

  it('by the user whose input caused the run, in forks and subagents too', async () => {
    await world.append('root', [
      sessionStarted('root'),
      ...runOf('ada', 'run-1'),
      world.call(1, { runId: 'run-1' }),
      ...runOf('bob', 'run-2'),
      world.call(10, { runId: 'run-2' }),
    ]);
    // Cut behind Ada's run: what goes on from there without an input of its own is hers.
    const cut = { sessionId: 'root', revision: 4 };
    await world.append('fork', [
      forked('fork', 'root', { cut }),
      runClaimed({ runId: 'run-3' }),
      world.call(100, { runId: 'run-3' }),
      ...runOf('cleo', 'run-4'),
      world.call(1_000, { runId: 'run-4' }),
    ]);
    await world.append('agent', [
      childStarted('agent', 'root'),
      runClaimed({ runId: 'run-5' }),
      world.call(10_000, { runId: 'run-5' }),
    ]);
    expect(await split('root', { by: 'user' })).toEqual([
      [{ user: 'ada' }, '1 100 101'],
      [{ user: 'bob' }, '10 10000 10010'],
      [{ user: 'cleo' }, ' 1000 1000'],
    ]);
    expect(await split('fork', { by: 'user' })).toEqual([
      [{ user: 'ada' }, '100  100'],
      [{ user: 'cleo' }, '1000  1000'],
    ]);
  });

  it('steering by somebody else does not make the run theirs', async () => {
    await world.append('s1', [
      sessionStarted('s1'),
      ...runOf('ada', 'run-1'),
      inputAccepted('i2', 'Faster!', { author: 'bob', delivery: 'steer' }),
      { type: 'InputDelivered', data: { inputId: 'i2', runId: 'run-1', messageId: 'm2' } },
      world.call(3, { runId: 'run-1' }),
    ]);
    expect(await split('s1', { by: 'user' })).toEqual([[{ user: 'ada' }, '3  3']]);
  });

  it('by a label, as it was when the call was settled', async () => {
    await world.append('s1', [
      sessionStarted('s1', { labels: { project: 'apollo', team: 'core' } }),
      world.call(1),
      { type: 'SessionLabelled', data: { set: { project: 'gemini' }, removed: ['team'] } },
      world.call(10),
    ]);
    await world.append('s2', [childStarted('s2', 's1'), world.call(100)]);
    expect(await split('s1', { by: 'label', label: 'project' })).toEqual([
      [{ label: 'project', value: 'apollo' }, '1  1'],
      [{ label: 'project', value: 'gemini' }, '10  10'],
      [{ label: 'project', value: null }, ' 100 100'],
    ]);
    expect(await split('s1', { by: 'label', label: 'team' })).toEqual([
      [{ label: 'team', value: null }, '10 100 110'],
      [{ label: 'team', value: 'core' }, '1  1'],
    ]);
    await expect(world.cost('s1', { by: 'label' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  it('by day in a zone, for a range of time', async () => {
    const at = (startedAt: string, pico: number) => world.call(pico, { startedAt });
    await world.append('s1', [
      sessionStarted('s1'),
      at('2026-03-28T22:59:59.999Z', 1),
      at('2026-03-28T23:00:00.000Z', 10),
      world.call(100),
    ]);
    await world.append('s2', [childStarted('s2', 's1'), at('2026-03-29T22:00:00.000Z', 1_000)]);
    expect(await split('s1', { by: 'day', zone: 'Europe/Berlin' })).toEqual([
      [{ day: '2026-03-28' }, '1  1'],
      [{ day: '2026-03-29' }, '10  10'],
      [{ day: '2026-03-30' }, ' 1000 1000'],
      [{ day: null }, '100  100'],
    ]);
    const range = { zone: 'Europe/Berlin', from: '2026-03-29', to: '2026-03-30' };
    expect(picoOf((await world.cost('s1', range))?.inclusive)).toBe('10');
  });
});

describe('the cost as it was', () => {
  it('at a version, a position and a time, of any root', async () => {
    await world.append('root', [sessionStarted('root'), world.call(1)]);
    const before = await world.append('fork', [forked('fork', 'root')]);
    const middle = await world.append('fork', [world.call(10)]);
    await world.append('root', [world.call(100)]);
    await world.append('deep', [childStarted('deep', 'fork'), world.call(1_000)]);
    const inclusive = async (sessionId: string, asOf?: string) =>
      picoOf((await world.cost(sessionId, { asOf }))?.inclusive);
    expect(await inclusive('root')).toBe('1111');
    expect(await inclusive('root', 'version:0')).toBe('');
    expect(await inclusive('root', 'version:1')).toBe('1');
    expect(await inclusive('root', 'version:2')).toBe('111');
    expect(await inclusive('root', `position:${before}`)).toBe('1');
    expect(await inclusive('root', `position:${middle}`)).toBe('11');
    expect(await inclusive('fork', 'version:0')).toBe('');
    expect(await inclusive('fork', `position:${before - 1n}`)).toBe('none');
    // Each event is recorded one second after the one before.
    expect(await inclusive('root', '2026-01-01T00:00:04.000Z')).toBe('11');
    expect(await inclusive('root', '2026-01-01T01:00:05+01:00')).toBe('111');
    expect(await inclusive('root', '2030-01-01T00:00:00Z')).toBe('1111');
    expect((await world.cost('root', { asOf: `position:${middle}` }))?.asOf).toMatchObject({
      position: middle.toString(),
    });
  });

  it('before a call turned out to be another session’s, and before it was priced anew', async () => {
    const shared = world.call(7);
    const { callKey, modelCallId } = shared.data as { callKey: string; modelCallId: string };
    await world.append('late', [sessionStarted('late'), shared]);
    const first = await world.append('other', [
      sessionStarted('other', { startedAt: '2025-01-01T00:00:00.000Z' }),
    ]);
    const second = await world.append('other', [shared]);
    const price = { amountPico: '9', currency: 'USD', source: 'local' } as const;
    await world.append('other', [
      {
        type: 'CallsRepriced',
        data: {
          repricingId: 'r1',
          reason: 'wrong card',
          actor: 'ada',
          repricedAt: '2026-01-01T00:00:00.000Z',
          calls: [{ modelCallId, callKey, before: { ...price, amountPico: '7' }, cost: price }],
        },
      },
    ]);
    const own = async (sessionId: string, asOf?: string) =>
      picoOf((await world.cost(sessionId, { asOf }))?.own);
    expect([
      await own('late', `position:${first}`),
      await own('other', `position:${first}`),
    ]).toEqual(['7', '']);
    expect([
      await own('late', `position:${second}`),
      await own('other', `position:${second}`),
    ]).toEqual(['', '7']);
    expect([await own('late'), await own('other')]).toEqual(['', '9']);
  });

  it('is refused in other words than these', async () => {
    await world.append('root', [sessionStarted('root')]);
    await expect(world.cost('root', { asOf: 'yesterday' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await expect(world.cost('root', { asOf: 'version:7' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await expect(world.cost('root', { zone: 'Mars/Base' })).rejects.toThrow('IANA');
    await expect(world.cost('root', { from: '2026-02-30' })).rejects.toThrow('from is a day');
  });
});
