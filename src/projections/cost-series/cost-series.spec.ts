import { beforeEach, describe, expect, it } from '@jest/globals';
import { CostWorld, picoOf, runOf } from '../../../test/projections/cost-world.js';
import {
  forked,
  priced,
  sessionStarted,
  settled,
  usage,
} from '../../../test/projections/session-events.js';
import { figuresCsv, seriesCsv } from './series-csv.js';
import type { WrittenWish } from './series-wish.js';

let world: CostWorld;

beforeEach(() => {
  world = new CostWorld();
});

async function rows(wish: Partial<WrittenWish> = {}) {
  const { rows: found } = await world.series(wish);
  return found.map((row) => {
    const { day, provider, model, user, session, label, value } = row;
    const head = { day, provider, model, user, session, label, value };
    return [JSON.parse(JSON.stringify(head)) as object, picoOf(row)];
  });
}

describe('cost series', () => {
  beforeEach(async () => {
    const at = (day: string, pico: number, model = 'claude-sonnet-4-5', runId?: string) =>
      world.call(pico, { startedAt: `2026-01-${day}T12:07:00.000Z`, responseModel: model, runId });
    await world.append('s1', [
      sessionStarted('s1', { labels: { project: 'apollo' } }),
      ...runOf('ada', 'run-1'),
      at('01', 1, undefined, 'run-1'),
      at('02', 10, 'claude-haiku-4-5', 'run-1'),
    ]);
    await world.append('s2', [
      sessionStarted('s2', { labels: { project: 'gemini' } }),
      ...runOf('bob', 'run-2'),
      at('02', 100, undefined, 'run-2'),
    ]);
    await world.append('s3', [sessionStarted('s3'), at('03', 1_000), world.call(10_000)]);
    await world.append('elsewhere', [sessionStarted('elsewhere'), at('01', 7)], 'umbrella');
  });

  it('have a row for each day, and one for calls of which nobody knows the day', async () => {
    const series = await world.series();
    expect(await rows()).toEqual([
      [{ day: '2026-01-01' }, '1'],
      [{ day: '2026-01-02' }, '110'],
      [{ day: '2026-01-03' }, '1000'],
      [{ day: null }, '10000'],
    ]);
    expect(picoOf(series.total)).toBe('11111');
    expect(series).toMatchObject({ zone: 'UTC', zoneData: process.versions.tz });
    expect(series.rows[0]).toMatchObject({ dayStart: '2026-01-01T00:00:00.000Z', calls: 1 });
  });

  it('are kept by tenant, user, model, label and session', async () => {
    expect(await rows({ groupBy: 'total' })).toEqual([[{}, '11111']]);
    expect(await rows({ groupBy: 'user' })).toEqual([
      [{ user: 'ada' }, '11'],
      [{ user: 'bob' }, '100'],
      [{ user: null }, '11000'],
    ]);
    expect(await rows({ groupBy: 'session' })).toEqual([
      [{ session: 's1' }, '11'],
      [{ session: 's2' }, '100'],
      [{ session: 's3' }, '11000'],
    ]);
    expect(await rows({ groupBy: 'model' })).toEqual([
      [{ provider: 'anthropic', model: 'claude-haiku-4-5' }, '10'],
      [{ provider: 'anthropic', model: 'claude-sonnet-4-5' }, '11101'],
    ]);
    expect(await rows({ groupBy: 'label', label: 'project' })).toEqual([
      [{ label: 'project', value: 'apollo' }, '11'],
      [{ label: 'project', value: 'gemini' }, '100'],
      [{ label: 'project', value: null }, '11000'],
    ]);
    expect(await rows({ groupBy: 'day,user', to: '2026-01-03' })).toEqual([
      [{ day: '2026-01-01', user: 'ada' }, '1'],
      [{ day: '2026-01-02', user: 'ada' }, '10'],
      [{ day: '2026-01-02', user: 'bob' }, '100'],
    ]);
  });

  it('are read of one user, session, label or model', async () => {
    expect(await rows({ user: 'ada' })).toEqual([
      [{ day: '2026-01-01' }, '1'],
      [{ day: '2026-01-02' }, '10'],
    ]);
    expect(await rows({ groupBy: 'model', user: 'ada' })).toHaveLength(2);
    expect(await rows({ groupBy: 'total', label: 'project=gemini' })).toEqual([[{}, '100']]);
    expect(await rows({ groupBy: 'total', session: 's1' })).toEqual([[{}, '11']]);
    expect(await rows({ groupBy: 'user', model: 'claude-haiku-4-5' })).toEqual([
      [{ user: 'ada' }, '10'],
    ]);
    expect(await rows({ user: 'nobody' })).toEqual([]);
  });

  it('end where the range ends, by the calendar of the zone', async () => {
    const zone = 'Pacific/Kiritimati';
    expect(await rows({ zone, from: '2026-01-03', to: '2026-01-04' })).toEqual([
      [{ day: '2026-01-03' }, '110'],
    ]);
    const instant = { from: '2026-01-02T12:10:00Z', to: '2026-01-03T12:01:00Z' };
    expect(await rows(instant)).toEqual([
      [{ day: '2026-01-02' }, '110'],
      [{ day: '2026-01-03' }, '1000'],
    ]);
    expect(await world.series(instant)).toMatchObject({
      from: '2026-01-02T12:00:00.000Z',
      to: '2026-01-03T12:15:00.000Z',
    });
  });

  it('follow a label that is changed, and leave a fork at 0', async () => {
    await world.append('f1', [
      forked('f1', 's1', {
        labels: { project: 'apollo' },
        cut: { sessionId: 's1', revision: 4 },
      }),
      { type: 'SessionLabelled', data: { set: { project: 'voyager' }, removed: [] } },
      world.call(5, { startedAt: '2026-02-01T00:00:00.000Z' }),
    ]);
    expect(await rows({ groupBy: 'label', label: 'project', from: '2026-02-01' })).toEqual([
      [{ label: 'project', value: 'voyager' }, '5'],
    ]);
    expect(await rows({ groupBy: 'user', from: '2026-02-01' })).toEqual([[{ user: 'ada' }, '5']]);
  });

  it('refuse what they are not kept by, and say so', async () => {
    await expect(world.series({ groupBy: 'user', session: 's1' })).rejects.toThrow(
      'one thing at a',
    );
    await expect(world.series({ user: 'ada', session: 's1' })).rejects.toThrow('user or session');
    await expect(world.series({ label: 'project' })).rejects.toThrow('name=value');
    await expect(world.series({ groupBy: 'label' })).rejects.toThrow('names the label');
    await expect(world.series({ from: '2026-02-01', to: '2026-01-01' })).rejects.toThrow('before');
  });
});

describe('series as a table', () => {
  it('have exact amounts, a row for each currency, and counts only once', async () => {
    await world.append('s1', [
      sessionStarted('s1', { labels: { project: '=HYPERLINK("http://x")' } }),
      settled('k1', {
        startedAt: '2026-01-01T00:00:00.000Z',
        usage: usage({ inputFresh: 7, cacheRead: 3, outputText: 2 }),
        cost: priced(12_345n),
      }),
      settled('k2', {
        startedAt: '2026-01-01T00:00:00.000Z',
        usage: usage({ inputFresh: 1 }),
        cost: priced(5n, 'CNY'),
      }),
    ]);
    const wish = { groupBy: 'day,label', label: 'project' };
    const { rows: found } = await world.series(wish);
    const lines = seriesCsv(found, { byDay: true, by: 'label' }).split('\r\n');
    expect(lines[0]).toMatch(/^day,dayStart,label,value,currency,amount,amountPico,calls,/);
    const head = '2026-01-01,2026-01-01T00:00:00.000Z,project,"\'=HYPERLINK(""http://x"")"';
    expect(lines[1]).toMatch(`${head},CNY,0.000000000005,5,2,0,0,0,0,0,true,11,2,8,3,`);
    expect(lines[2]).toMatch(`${head},USD,0.000000012345,12345,,,`);
    expect(lines).toHaveLength(4);
  });

  it('show calls without a price with an empty amount, not with 0', async () => {
    await world.append('s1', [
      sessionStarted('s1'),
      settled('k1', { usage: usage({ inputFresh: 7 }) }),
    ]);
    const { rows: found } = await world.series({ groupBy: 'total' });
    const [header = '', line = ''] = figuresCsv(found, []).split('\r\n');
    const cells = Object.fromEntries(
      header.split(',').map((name, index) => [name, line.split(',')[index]]),
    );
    expect(cells).toMatchObject({ amount: '', calls: '1', unpricedCalls: '1', complete: 'false' });
  });
});
