import fc from 'fast-check';
import type { SessionEvent } from '../../src/domain/events.js';
import type { UsageState } from '../../src/domain/usage.js';
import {
  childStarted,
  forked,
  inputAccepted,
  priced,
  repriced,
  runClaimed,
  sessionStarted,
  settled,
  usage,
  usageReported,
} from './session-events.js';

/** What happens in a session that costs something, or has to leave what it costs alone. */
export type Step =
  | {
      readonly kind: 'settled' | 'late';
      readonly key: string;
      readonly state: UsageState;
      readonly tokens: number;
      readonly pico: bigint | null;
      readonly compaction: boolean;
    }
  | { readonly kind: 'repriced'; readonly key: string; readonly pico: bigint }
  /** The provider refused, or nothing was sent: the retry is a call of its own. */
  | { readonly kind: 'refused' | 'notSent'; readonly key: string }
  | { readonly kind: 'retry' | 'input' | 'compacted' | 'reverted' | 'labelled' };

export interface Tree {
  readonly sessions: readonly TreeSession[];
  /** All events of all sessions, each stream in its own order. */
  readonly events: readonly { readonly sessionId: string; readonly event: SessionEvent }[];
}

export interface TreeSession {
  readonly id: string;
  /** Number of the parent, which is smaller than its own. */
  readonly parent: number | null;
  readonly edge: 'subagent' | 'continuation' | 'fork';
  readonly startedAt: string;
  readonly steps: readonly Step[];
}

const key = fc.constantFrom('k0', 'k1', 'k2', 'k3', 'k4', 'k5', 'k6', 'k7');
const pico = fc.bigInt({ min: 0n, max: 10n ** 19n });

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom('settled' as const, 'settled' as const, 'late' as const),
      key,
      state: fc.constantFrom('final', 'partial', 'estimated', 'unknown'),
      tokens: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      pico: fc.option(pico),
      compaction: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('repriced' as const), key, pico }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('refused', 'notSent'), key }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('retry', 'input', 'compacted', 'reverted', 'labelled'),
    }),
  },
);

const forest = fc
  .array(
    fc.record({
      parentChoice: fc.option(fc.nat(), { freq: 4 }),
      edge: fc.constantFrom('subagent', 'continuation', 'fork'),
      second: fc.integer({ min: 0, max: 3 }),
      steps: fc.array(step, { maxLength: 6 }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((drafts) =>
    drafts.map(({ parentChoice, edge, second, steps }, index): TreeSession => ({
      id: `s${index}`,
      parent: parentChoice === null || index === 0 ? null : parentChoice % index,
      edge,
      startedAt: `2026-01-01T00:00:0${second}.000Z`,
      steps,
    })),
  );

/** Ways to weave streams into one log. */
export const weave = fc.array(fc.nat(), { minLength: 40, maxLength: 40 });

export const randomTree: fc.Arbitrary<Tree> = fc
  .tuple(forest, weave)
  .map(([sessions, choices]) => ({ sessions, events: woven(sessions, choices) }));

export const twoOrders: fc.Arbitrary<readonly [Tree, Tree]> = fc
  .tuple(forest, weave, weave)
  .map(([sessions, one, other]) => [
    { sessions, events: woven(sessions, one) },
    { sessions, events: woven(sessions, other) },
  ]);

function woven(sessions: readonly TreeSession[], choices: readonly number[]): Tree['events'] {
  const left = sessions.map((session) => ({
    sessionId: session.id,
    events: [firstEvent(session, sessions), ...session.steps.map(eventOf)],
  }));
  const events: Tree['events'][number][] = [];
  for (let index = 0; left.some((stream) => stream.events.length > 0); index += 1) {
    const open = left.filter((stream) => stream.events.length > 0);
    const { sessionId, events: own } = open[(choices[index % choices.length] ?? 0) % open.length]!;
    events.push({ sessionId, event: own.shift()! });
  }
  return events;
}

export function ancestorsOf(
  parent: number | null,
  sessions: readonly TreeSession[],
): readonly string[] {
  return parent === null ? [] : [`s${parent}`, ...ancestorsOf(sessions[parent]!.parent, sessions)];
}

function firstEvent(
  { id, parent, edge, startedAt }: TreeSession,
  all: readonly TreeSession[],
): SessionEvent {
  const ancestors = ancestorsOf(parent, all);
  if (parent === null) return sessionStarted(id, { startedAt, labels: { team: id } });
  return edge === 'fork'
    ? forked(id, `s${parent}`, { ancestors, startedAt })
    : childStarted(id, `s${parent}`, edge, { ancestors, startedAt });
}

function eventOf(one: Step, index: number): SessionEvent {
  switch (one.kind) {
    case 'settled':
    case 'late': {
      const known = one.state !== 'unknown';
      const data = {
        purpose: one.compaction ? ('compaction' as const) : ('turn' as const),
        runId: 'run-1',
        startedAt: `2026-01-0${1 + (index % 3)}T0${index}:00:00.000Z`,
        usage: usage(known ? { inputFresh: one.tokens } : {}, one.state),
        cost:
          known && one.pico !== null
            ? priced(one.pico)
            : ({ amountPico: null, currency: 'USD', source: 'local' } as const),
      };
      return one.kind === 'settled' ? settled(one.key, data) : usageReported(one.key, data);
    }
    case 'repriced':
      return repriced({ [one.key]: one.pico });
    case 'refused':
      return settled(one.key, { outcome: 'providerError' });
    case 'notSent':
      return settled(one.key, { outcome: 'notSent', providerReached: 'no' });
    case 'retry':
      return runClaimed({ runId: 'run-1', epoch: index, reason: 'takeover' });
    case 'input':
      return inputAccepted(`input-${index}`, 'Go on.', { author: index % 2 ? 'ada' : 'bob' });
    case 'compacted':
      return compacted(index);
    case 'reverted':
      return {
        type: 'Reverted',
        data: {
          to: { sessionId: 's0', revision: 0 },
          hidden: [{ sessionId: 's0', from: 1, to: 1 }],
          facts: [],
        },
      };
    case 'labelled':
      return { type: 'SessionLabelled', data: { set: { team: `team-${index}` }, removed: [] } };
  }
}

function compacted(index: number): SessionEvent {
  const at = { sessionId: 's0', revision: 0 };
  return {
    type: 'Compacted',
    data: {
      compactionId: `compaction-${index}`,
      summary: 'In short.',
      coveredFrom: at,
      coveredTo: at,
      keptFrom: at,
      openCalls: [],
      trigger: 'auto',
    },
  };
}
