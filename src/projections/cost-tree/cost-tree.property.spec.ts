import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  childStarted,
  forked,
  priced,
  repriced,
  sessionStarted,
  settled,
  usage,
  usageReported,
} from '../../../test/projections/session-events.js';
import { ProjectionWorld, TENANT } from '../../../test/projections/projection-world.js';
import type { SessionEvent } from '../../domain/events.js';
import { type UsageState, unknownUsage } from '../../domain/usage.js';
import { BatchFold } from '../batch-fold.js';
import { createGeneration, generationOf, liveGeneration } from '../generation.js';
import { rebuild } from '../rebuild.js';
import { GetSessionCost, GetSessionCostHandler } from './cost-tree.query.js';
import { costTreeProjection } from './cost-tree-projection.js';
import type { Figures } from './figures.js';

interface Report {
  readonly key: string;
  readonly state: UsageState;
  readonly tokens: number;
  readonly pico: bigint | null;
  /** settled: as it ended. late: reported after it was lost. repriced: with a price of later. */
  readonly told: 'settled' | 'late' | 'lateByResponse' | 'repriced' | 'both';
}

interface Session {
  readonly id: string;
  readonly parent: number | null;
  readonly edge: 'subagent' | 'continuation' | 'fork';
  readonly startedAt: string;
  readonly reports: readonly Report[];
}

const report: fc.Arbitrary<Report> = fc.record({
  key: fc.constantFrom('k0', 'k1', 'k2', 'k3', 'k4', 'k5', 'k6', 'k7'),
  state: fc.constantFrom('final', 'partial', 'estimated', 'unknown'),
  tokens: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  pico: fc.option(fc.bigInt({ min: 0n, max: 10n ** 19n })),
  told: fc.constantFrom('settled', 'settled', 'late', 'lateByResponse', 'repriced', 'both'),
});

/** Sessions whose parents have smaller numbers, so that they form trees. */
const forest: fc.Arbitrary<readonly Session[]> = fc
  .array(
    fc.record({
      parentChoice: fc.option(fc.nat(), { freq: 4 }),
      edge: fc.constantFrom('subagent', 'continuation', 'fork'),
      second: fc.integer({ min: 0, max: 3 }),
      reports: fc.array(report, { maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 9 },
  )
  .map((drafts) =>
    drafts.map(({ parentChoice, edge, second, reports }, index): Session => ({
      id: `s${index}`,
      parent: parentChoice === null || index === 0 ? null : parentChoice % index,
      edge,
      startedAt: `2026-01-01T00:00:0${second}.000Z`,
      reports,
    })),
  );

/** The same sessions, their streams woven in any way that keeps each stream's own order. */
const order = fc.array(fc.nat(), { minLength: 160, maxLength: 160 });

function eventsOf(session: Session, all: readonly Session[]): SessionEvent[] {
  return [
    firstEvent(session, all),
    ...session.reports.flatMap((one, index) => reportEvents(session.id, one, index)),
  ];
}

function reportEvents(sessionId: string, report: Report, index: number): SessionEvent[] {
  const { key, state, tokens, pico, told } = report;
  const used = usage(state === 'unknown' ? {} : { inputFresh: tokens }, state);
  const cost = pico === null || state === 'unknown' ? noPrice : priced(pico);
  const again = repriced({ [key]: BigInt(tokens) });
  const lost = (callKey: string) =>
    settled(callKey, { outcome: 'interrupted', usage: unknownUsage('local'), cost: noPrice });
  const ownKey = `call:${sessionId}/${index}`;
  switch (told) {
    case 'settled':
      return [settled(key, { usage: used, cost })];
    case 'late':
      return [lost(key), usageReported(key, { usage: used, cost })];
    case 'lateByResponse': {
      const named = { callKey: key, formerCallKey: ownKey };
      return [lost(ownKey), usageReported(ownKey, { ...named, usage: used, cost })];
    }
    case 'repriced':
      return [settled(key, { usage: used, cost }), again];
    case 'both':
      return [lost(key), again, usageReported(key, { usage: used, cost }), again];
  }
}

const noPrice = { amountPico: null, currency: 'USD', source: 'local' } as const;

function firstEvent({ id, parent, edge, startedAt }: Session, all: readonly Session[]) {
  const ancestors = ancestorsOf(parent, all);
  if (parent === null) return sessionStarted(id, { startedAt });
  return edge === 'fork'
    ? forked(id, `s${parent}`, { ancestors, startedAt })
    : childStarted(id, `s${parent}`, edge, { ancestors, startedAt });
}

function ancestorsOf(parent: number | null, all: readonly Session[]): string[] {
  return parent === null ? [] : [`s${parent}`, ...ancestorsOf(all[parent]!.parent, all)];
}

async function written(sessions: readonly Session[], weave: readonly number[]) {
  const world = new ProjectionWorld();
  const left = sessions.map((session) => ({ id: session.id, events: eventsOf(session, sessions) }));
  for (let step = 0; left.some(({ events }) => events.length > 0); step += 1) {
    const open = left.filter(({ events }) => events.length > 0);
    const { id, events } = open[(weave[step % weave.length] ?? 0) % open.length]!;
    await world.append(id, [events.shift()!]);
  }
  return world;
}

async function costsOf(world: ProjectionWorld, sessions: readonly Session[]) {
  const handler = new GetSessionCostHandler(world.queries([costTreeProjection]));
  const costs = [];
  for (const { id } of sessions) {
    const { cost } = await handler.execute(new GetSessionCost(TENANT, id));
    const { asOf: _asOf, ...figures } = cost!;
    costs.push(figures);
  }
  return costs;
}

/** Counted again from the events alone: which session has which calls of its own. */
function expectedCalls(sessions: readonly Session[]): Map<string, Set<string>> {
  const calls = new Map(sessions.map(({ id }) => [id, new Set<string>()]));
  const keys = new Set(sessions.flatMap(({ reports }) => reports.map(({ key }) => key)));
  for (const key of keys) {
    const holders = sessions.filter(({ reports }) => reports.some((one) => one.key === key));
    const ids = holders.map(({ id }) => id);
    const top = holders.filter(
      ({ parent }) => !ancestorsOf(parent, sessions).some((id) => ids.includes(id)),
    );
    top.sort((one, other) => (one.startedAt + one.id < other.startedAt + other.id ? -1 : 1));
    calls.get(top[0]!.id)!.add(key);
  }
  return calls;
}

function subtree(root: number, sessions: readonly Session[]): Session[] {
  return sessions.filter(
    ({ id, parent }) => id === `s${root}` || ancestorsOf(parent, sessions).includes(`s${root}`),
  );
}

describe('cost trees of any shape', () => {
  it('count each request once, at its owner and at all above it', async () => {
    await fc.assert(
      fc.asyncProperty(
        forest,
        order,
        fc.integer({ min: 1, max: 5 }),
        async (sessions, weave, batch) => {
          const world = await written(sessions, weave);
          await world.catchUp(costTreeProjection, batch);
          const costs = await costsOf(world, sessions);
          const calls = expectedCalls(sessions);
          sessions.forEach(({ id }, index) => {
            expect(costs[index]!.own.calls).toBe(calls.get(id)!.size);
            const below = subtree(index, sessions);
            const distinct = below.reduce((sum, one) => sum + calls.get(one.id)!.size, 0);
            expect(costs[index]!.inclusive.calls).toBe(distinct);
            const pico = (figures: { amounts: readonly { amountPico: string }[] }) =>
              BigInt(figures.amounts[0]?.amountPico ?? 0);
            const tokens = (figures: { usage: { inputFresh?: string } }) =>
              BigInt(figures.usage.inputFresh ?? 0);
            const owns = below.map((one) => costs[sessions.indexOf(one)]!.own);
            const sum = (of: (own: (typeof owns)[number]) => bigint) =>
              owns.reduce((total, own) => total + of(own), 0n);
            expect(pico(costs[index]!.inclusive)).toBe(sum(pico));
            const asRecorded = (figures: Figures) => pico(figures.asRecorded ?? figures);
            expect(asRecorded(costs[index]!.inclusive)).toBe(sum(asRecorded));
            expect(tokens(costs[index]!.inclusive)).toBe(sum(tokens));
          });
        },
      ),
      { numRuns: 30 },
    );
  });

  it('do not depend on the order in which sessions are seen', async () => {
    await fc.assert(
      fc.asyncProperty(forest, order, order, async (sessions, one, other) => {
        const first = await written(sessions, one);
        await first.catchUp(costTreeProjection);
        const second = await written(sessions, other);
        await second.catchUp(costTreeProjection, 1);
        expect(await second.documents(costTreeProjection)).toEqual(
          await first.documents(costTreeProjection),
        );
      }),
      { numRuns: 30 },
    );
  });

  it('are the same bytes after a rebuild, and when every event is applied twice', async () => {
    await fc.assert(
      fc.asyncProperty(forest, order, async (sessions, weave) => {
        const world = await written(sessions, weave);
        await world.catchUp(costTreeProjection, 3);
        const live = await liveGeneration(world.readModels, costTreeProjection);
        const before = await world.documents(costTreeProjection, live);
        const twice = generationOf(costTreeProjection, 99);
        await createGeneration(world.readModels, costTreeProjection, twice);
        const fold = new BatchFold(world.readModels, world.codec, costTreeProjection, twice);
        const { events } = await world.events.readAll(0n, 1_000);
        let moved = 0n;
        for (const event of events) {
          for (let time = 0; time < 2; time += 1) await fold.apply([event], (moved += 1n));
        }
        expect(await world.documents(costTreeProjection, twice)).toEqual(before);
        await rebuild(costTreeProjection, world.ports, {
          instanceId: 'me',
          leaseTtlMs: 10_000,
          batchEventsMax: 7,
          graceMs: 0,
        });
        expect((await liveGeneration(world.readModels, costTreeProjection)).number).toBe(2);
        expect(await world.documents(costTreeProjection)).toEqual(before);
      }),
      { numRuns: 30 },
    );
  });
});
