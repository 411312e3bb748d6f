import { beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '../../../test/support/event-batches.js';
import { SealedStores } from '../../../test/support/sealed-stores.js';
import type { EventStore, RecordedEvent } from '../event-store.js';
import { MemoryCheckpointLog } from '../memory/memory-checkpoint-log.js';
import { makeCheckpoint } from './checkpoints.js';
import { verifyLog } from './verify-log.js';

const FLIPS = 1_000;
const CHANGES = 100;
const STREAMS = 6;
const BATCHES = 4;

/** Numbers that are the same in each run. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A log that somebody has changed in the database: what stands there is what is read. */
function storeOf(events: readonly RecordedEvent[], storeId: string): EventStore {
  const ordered = [...events].sort((one, other) => Number(one.position - other.position));
  return {
    storeId: async () => storeId,
    read: async (stream: string, { from, maxCount }: { from: number; maxCount: number }) =>
      ordered
        .filter((event) => event.stream === stream && event.revision >= from)
        .slice(0, maxCount),
    readAll: async (after: bigint, maxCount: number) => {
      const page = ordered.filter(({ position }) => position > after).slice(0, maxCount);
      return { events: page, next: page.at(-1)?.position ?? after, caughtUp: page.length === 0 };
    },
  } as Partial<EventStore> as EventStore;
}

describe('verify', () => {
  const random = randomFrom(7);
  const checkpoints = new MemoryCheckpointLog();
  let stores: SealedStores;
  let log: readonly RecordedEvent[];
  let lines: readonly string[];

  const verify = async (events: readonly RecordedEvent[], by = lines) =>
    verifyLog(storeOf(events, await stores.stored.storeId()), checkpoints, by);
  const isFound = async (events: readonly RecordedEvent[]) =>
    (await verify(events)).broken !== undefined;
  const changed = (index: number, change: Partial<RecordedEvent>) =>
    log.map((event, at) => (at === index ? { ...event, ...change } : event));
  const allOf = async (count: number, change: () => readonly RecordedEvent[]) => {
    const missed: unknown[] = [];
    for (let times = 0; times < count; times += 1) {
      const events = change();
      if (!(await isFound(events))) missed.push(events);
    }
    return missed;
  };

  beforeAll(async () => {
    stores = new SealedStores();
    await makeCheckpoint(stores.stored, checkpoints, 1);
    const { events } = stores.open();
    for (let batch = 0; batch < BATCHES; batch += 1) {
      for (let stream = 0; stream < STREAMS; stream += 1) {
        const data = JSON.stringify({
          inputId: `i${batch}`,
          content: [{ type: 'text', text: `ü ${random(1_000)}` }],
        });
        const added = [newEvent({ data }), newEvent({ type: 'RunClaimed', data: '{"runId":"r"}' })];
        const expected = batch === 0 ? 'noStream' : batch * 2 - 1;
        await events.append(`session-t.s${stream}`, expected, added);
      }
      if (batch === 1) await makeCheckpoint(stores.stored, checkpoints, 2);
    }
    const segments = [{ sessionId: 's0', from: 0, to: 3 }];
    const data = JSON.stringify({ cut: { sessionId: 's0', revision: 3 }, segments });
    await events.append('session-t.fork', 'noStream', [newEvent({ type: 'Forked', data })]);
    await events.append('tenant-t', 'noStream', [newEvent({ type: 'BudgetSet', data: '{"a":1}' })]);
    await makeCheckpoint(stores.stored, checkpoints, 3);
    log = (await stores.stored.readAll(0n, 1_000)).events;
    lines = await checkpoints.all();
  });

  it('finds nothing in a log that nobody has changed, also after an erasure', async () => {
    const clean = { events: log.length, checkpoints: 3, uncovered: 0, broken: undefined };
    expect(await verify(log)).toEqual(clean);
    await stores.keys.erase({ tenantId: 't', sessionId: 's1' }, 1);
    expect(await verifyLog(stores.stored, checkpoints, lines)).toEqual(clean);
  });

  it(`finds each of ${FLIPS} single bits that were flipped`, async () => {
    const missed = await allOf(FLIPS, () => {
      const index = random(log.length);
      const fields = ['data', 'metadata', 'type', 'eventId', 'stream'] as const;
      const event = log[index]!;
      const lengths = fields.map((field) => Buffer.byteLength(event[field]));
      let at = random(lengths.reduce((sum, length) => sum + length, 0));
      const field = fields.find((_, one) => {
        if (at < lengths[one]!) return true;
        at -= lengths[one]!;
        return false;
      })!;
      const bytes = Buffer.from(event[field]);
      bytes[at]! ^= 1 << random(8);
      return changed(index, { [field]: bytes.toString('utf8') });
    });
    expect(missed).toEqual([]);
  });

  it('finds changed times, deletions, insertions, swaps, cut ends and copied ciphertexts', async () => {
    const pick = () => random(log.length);
    const last = log.at(-1)!.position;
    const kinds: Readonly<Record<string, () => readonly RecordedEvent[]>> = {
      times: () => {
        const index = pick();
        const recordedAtMs = log[index]!.recordedAtMs ^ (1 << random(30));
        return changed(index, { recordedAtMs });
      },
      deletions: () => {
        const index = pick();
        return log.filter((_, at) => at !== index);
      },
      insertions: () => {
        const event = log[pick()]!;
        const eventId = crypto.randomUUID();
        const revision = event.revision + 1;
        return [...log, { ...event, eventId, revision, position: last + 1n }].map((one) =>
          one.stream === event.stream && one.revision >= revision && one.eventId !== eventId
            ? { ...one, revision: one.revision + 1 }
            : one,
        );
      },
      swaps: () => {
        const [one, other] = [pick(), pick()];
        const [first, second] = [log[one]!, log[one === other ? (other + 1) % log.length : other]!];
        return log.map((event) => {
          if (event === first) return { ...second, position: first.position };
          return event === second ? { ...first, position: second.position } : event;
        });
      },
      cutEnds: () => log.slice(0, random(log.length)),
      copies: () => {
        const sealed = log.filter(({ data }) => data.includes('"sealed"'));
        const [from, to] = [sealed[random(sealed.length)]!, sealed[random(sealed.length)]!];
        const source = from === to ? sealed.find((event) => event !== to)! : from;
        return log.map((event) => (event === to ? { ...event, data: source.data } : event));
      },
    };
    for (const [kind, change] of Object.entries(kinds)) {
      expect([kind, (await allOf(CHANGES, change)).length]).toEqual([kind, 0]);
    }
  });

  it('names the first place that is broken', async () => {
    const index = log.findIndex(
      ({ stream, revision }) => `${stream} ${revision}` === 'session-t.s2 4',
    );
    const { broken } = await verify(changed(index, { recordedAtMs: 5 }));
    expect(broken).toMatchObject({
      stream: 'session-t.s2',
      revision: 4,
      reason: expect.stringMatching(/changed after it was written/),
    });
    const short = await verify(log.slice(0, -1));
    expect(short.broken?.reason).toMatch(/the log ends here, and checkpoint 3 .* over 50 events/);
  });

  it('believes no checkpoint that was changed, left out or signed by another', async () => {
    const forged = JSON.stringify({ ...(JSON.parse(lines[2]!) as object), eventCount: 9 });
    for (const list of [
      [lines[0]!, lines[1]!, forged],
      [lines[0]!, lines[2]!],
      [lines[1]!, lines[2]!],
      ['{'],
    ]) {
      expect((await verify(log, list)).broken?.reason).toMatch(/^checkpoint \d/);
    }
    const stranger = new MemoryCheckpointLog();
    await makeCheckpoint(stores.stored, stranger, 1);
    const strange = await verify(log, await stranger.all());
    expect(strange.broken?.reason).toMatch(/not signed by a key of this installation/);
  });

  it('tells how many events no checkpoint covers, and signs nothing twice', async () => {
    expect(await makeCheckpoint(stores.stored, checkpoints, 4)).toBeUndefined();
    expect(await verify(log, lines.slice(0, 2))).toMatchObject({
      uncovered: 26,
      broken: undefined,
    });
  });

  it('takes a log whose beginning is older than its chain', async () => {
    const older = new SealedStores();
    await older.stored.append('session-t.old', 'noStream', [newEvent(), newEvent()]);
    const signed = new MemoryCheckpointLog();
    await makeCheckpoint(older.stored, signed, 1);
    await older.open().events.append('session-t.old', 1, [newEvent()]);
    const found = await verifyLog(older.stored, signed, await signed.all());
    expect(found).toEqual({ events: 3, checkpoints: 1, uncovered: 1, broken: undefined });
    await older.stored.append('session-t.old', 2, [newEvent()]);
    const { broken } = await verifyLog(older.stored, signed, await signed.all());
    expect(broken).toMatchObject({ revision: 3, reason: expect.stringMatching(/no chain value/) });
  });
});
