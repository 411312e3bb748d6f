import fc from 'fast-check';
import { childStarted, priced, settled, usage } from '../projections/session-events.js';
import { GeneratedSession, steps } from '../context/generated-stream.js';
import type { StreamBuilder } from '../context/stream-builder.js';
import type { SessionEvent } from '../../src/domain/events.js';
import { eventId, sessionStream } from '../../src/identity/derived-ids.js';
import { EventCodec } from '../../src/storage/event-codec.js';
import type { EventStore } from '../../src/storage/event-store.js';

export const TENANT = 'acme';

interface RandomSession {
  readonly id: string;
  readonly events: readonly SessionEvent[];
}

interface Draft {
  readonly steps: readonly (readonly [number, number, number])[];
  readonly kind: 'root' | 'fork' | 'subagent';
  readonly parent: number;
  readonly reports: readonly { readonly key: number; readonly pico: bigint }[];
}

const draft: fc.Arbitrary<Draft> = fc.record({
  steps: steps(12),
  kind: fc.constantFrom('root', 'fork', 'subagent'),
  parent: fc.nat(),
  reports: fc.array(fc.record({ key: fc.nat(30), pico: fc.bigInt({ min: 0n, max: 10n ** 15n }) }), {
    maxLength: 4,
  }),
});

/** Sessions with turns, tool calls, compactions and reverts; forks; subagents that cost money. */
export function randomSessions(count: number, seed: number): readonly RandomSession[] {
  const drafts = fc.sample(draft, { numRuns: count, seed });
  const streams: StreamBuilder[] = [];
  return drafts.map(({ kind, parent, reports, steps: choices }, index) => {
    const id = `s${index}`;
    const above = streams[parent % Math.max(1, streams.length)];
    if (kind === 'subagent' && above !== undefined) {
      return { id, events: subagentEvents(id, above.sessionId, reports) };
    }
    const forkOf = kind === 'fork' ? above : undefined;
    const { stream } = new GeneratedSession(false, id, forkOf).play([...choices] as never);
    streams.push(stream);
    const own = stream.records.filter(({ sessionId }) => sessionId === id);
    return { id, events: own.map(({ event }) => event) };
  });
}

function subagentEvents(id: string, parentId: string, reports: Draft['reports']): SessionEvent[] {
  const costs = reports.map(({ key, pico }) =>
    settled(`k${key}`, { usage: usage({ inputFresh: key }), cost: priced(pico) }),
  );
  return [childStarted(id, parentId, 'subagent', { ancestors: [parentId] }), ...costs];
}

/** Writes the sessions woven into each other, a few events at a time. */
export async function appendWoven(
  events: EventStore,
  sessions: readonly RandomSession[],
  pause: () => Promise<void>,
): Promise<number> {
  const codec = new EventCodec();
  let recordedAtMs = Date.UTC(2026, 0, 1);
  let count = 0;
  const open = sessions.map((session) => ({ session, next: 0 }));
  const lanes = 20;
  for (let turn = 0; open.length > 0; turn += 1) {
    const lane = turn % Math.min(lanes, open.length);
    const at = open[lane]!;
    const { id, events: all } = at.session;
    const some = all.slice(at.next, at.next + 1 + (turn % 4));
    const encoded = some.map((event, index) => {
      const revision = at.next + index;
      return codec.encode({
        eventId: eventId(TENANT, id, 'Test', `${revision}`, 0),
        event,
        metadata: {
          tenantId: TENANT,
          actor: 'test',
          commandType: 'Test',
          commandId: `${revision}`,
        },
        recordedAtMs: (recordedAtMs += 1_000),
      });
    });
    const expected = at.next === 0 ? 'noStream' : at.next - 1;
    const outcome = await events.append(sessionStream(TENANT, id), expected, encoded);
    if (outcome.outcome !== 'written') throw new Error(`${id} was not written`);
    at.next += some.length;
    count += some.length;
    if (at.next >= all.length) open.splice(lane, 1);
    await pause();
  }
  return count;
}
