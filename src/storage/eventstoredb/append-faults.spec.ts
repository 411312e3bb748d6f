import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { countAppends } from '../../../test/support/append-counts.js';
import { newBatch, newStream, wholeStream } from '../../../test/support/event-batches.js';
import type { EsdbFault, EsdbOperation } from '../../../test/support/eventstoredb/esdb-faults.js';
import { EventStoreDbDouble } from '../../../test/support/eventstoredb/eventstoredb-double.js';
import { TcpFaultProxy } from '../../../test/support/tcp-fault-proxy.js';
import { AppendUnknownError, StoreUnavailableError } from '../event-store.js';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';

jest.setTimeout(900_000);

/** `npm run test:stores` asks for more. */
const APPENDS = Number(process.env.STORE_APPENDS ?? '300');
/** By calls and not by time: however slow the machine is, some of them come through. */
const CALLS_PER_CUT = 60;
/** A busy machine takes its time; a call that is lost must not take much longer. */
const SHORT = { appendTryMs: 1_000, appendSettleMs: 20_000, readSilenceMs: 2_000, probeMs: 1_000 };

describe('appends to EventStoreDB when calls fail', () => {
  let double: EventStoreDbDouble;
  let store: EventStoreDbEventStore;

  beforeEach(async () => {
    double = await EventStoreDbDouble.start();
    store = new EventStoreDbEventStore({ url: double.url, times: SHORT });
  });
  afterEach(async () => {
    await store.close();
    double.stop();
  });

  it.each([
    ['requestLost', 'the request is lost'],
    ['answerLost', 'it is written and the answer is lost'],
    ['silence', 'nobody answers'],
    ['silenceAfterWrite', 'it is written and nobody answers'],
    ['notLeader', 'the server is not the leader'],
    ['aborted', 'the server gives up'],
  ] as [EsdbFault, string][])('%s: %s, and the batch stands there once', async (fault) => {
    const stream = newStream();
    const batch = newBatch(2);
    double.faults.next('append', fault);
    const outcome = await store.append(stream, 'noStream', batch);
    expect(outcome).toMatchObject({ outcome: 'written', revision: 1, repeated: false });
    expect((await wholeStream(store, stream)).map(({ eventId }) => eventId)).toEqual(
      batch.map(({ eventId }) => eventId),
    );
    expect(double.calls.countOf('append')).toBeGreaterThanOrEqual(2);
  });

  it('says unknown when the outcome cannot be found out, and the same batch settles it', async () => {
    const stream = newStream();
    const batch = newBatch(2);
    double.faults.next('append', 'answerLost');
    double.faults.plan = (operation) => (operation === 'append' ? 'requestLost' : undefined);
    await expect(store.append(stream, 'noStream', batch)).rejects.toThrow(AppendUnknownError);
    double.faults.plan = () => undefined;
    const again = await store.append(stream, 'noStream', batch);
    expect(again).toMatchObject({ outcome: 'written', revision: 1 });
    expect(await wholeStream(store, stream)).toHaveLength(2);
  });

  it('says unknown when it was refused after a try that may stand', async () => {
    double.faults.next('append', 'answerLost', 'accessDenied');
    await expect(store.append(newStream(), 'noStream', newBatch(1))).rejects.toThrow(
      AppendUnknownError,
    );
  });

  it('says for certain that nothing was written when the right to write is missing', async () => {
    const stream = newStream();
    double.faults.next('append', 'accessDenied');
    await expect(store.append(stream, 'noStream', newBatch(1))).rejects.toThrow(
      StoreUnavailableError,
    );
    expect(await store.head(stream)).toBe('noStream');
  });

  it('tells a batch that another process wrote from its own, whoever heard "unknown"', async () => {
    const other = new EventStoreDbEventStore({ url: double.url, times: SHORT });
    const stream = newStream();
    const batch = newBatch(2);
    double.faults.next('append', 'requestLost');
    const outcomes = await Promise.all([
      store.append(stream, 'noStream', batch),
      other.append(stream, 'noStream', batch),
    ]);
    expect(outcomes).toContainEqual(expect.objectContaining({ repeated: false }));
    expect(outcomes).toContainEqual(expect.objectContaining({ repeated: true }));
    await other.close();
  });

  it('sends nothing while the server is away, and goes on by itself when it is back', async () => {
    const stream = newStream();
    double.stop();
    await expect(store.head(stream)).rejects.toThrow(StoreUnavailableError);
    await expect(store.append(stream, 'noStream', newBatch(1))).rejects.toThrow(
      StoreUnavailableError,
    );
    await double.restart();
    expect(double.calls.countOf('append')).toBe(0);
    await expect(store.append(stream, 'noStream', newBatch(1))).resolves.toMatchObject({
      outcome: 'written',
    });
  });

  it('ends an append that waits when the store is closed', async () => {
    double.faults.plan = (operation) => (operation === 'append' ? 'requestLost' : undefined);
    const waiting = store.append(newStream(), 'noStream', newBatch(1));
    const reason = waiting.catch((error: unknown) => error);
    await store.close();
    expect(await reason).toBeInstanceOf(AppendUnknownError);
  });
});

describe('appends through a faulty EventStoreDB (double)', () => {
  const chances: Readonly<Record<EsdbOperation, readonly [number, readonly EsdbFault[]]>> = {
    append: [
      0.15,
      ['requestLost', 'answerLost', 'answerLost', 'silence', 'silenceAfterWrite', 'notLeader'],
    ],
    read: [0.03, ['requestLost', 'cut']],
    subscribe: [0.3, ['requestLost', 'cut']],
  };

  it(`${APPENDS} appends: none lost, none double, none hangs`, async () => {
    const double = await EventStoreDbDouble.start();
    const proxy = await TcpFaultProxy.start(double.port);
    const url = `esdb://127.0.0.1:${proxy.port}?tls=false`;
    const store = new EventStoreDbEventStore({
      url,
      times: { ...SHORT, resubscribeMaxMs: 500 },
    });
    double.faults.plan = (operation) => {
      const [chance, faults] = chances[operation];
      if (Math.random() >= chance) return undefined;
      return faults[Math.floor(Math.random() * faults.length)];
    };
    let nextAtCalls = CALLS_PER_CUT;
    const disturbing = setInterval(() => {
      if (double.calls.seen.length < nextAtCalls) return;
      nextAtCalls = double.calls.seen.length + CALLS_PER_CUT;
      if (Math.random() < 0.5) double.dropCalls();
      else proxy.cut();
    }, 20);
    const counts = await countAppends(store, { appends: APPENDS, streams: 24 });
    clearInterval(disturbing);
    await store.close();
    await proxy.stop();
    double.stop();
    const { appends, lost, duplicated, hangs, misdelivered, sentAgain } = counts;
    if (process.env.STORE_APPENDS !== undefined) {
      process.stderr.write(
        `event store · EventStoreDB (double) · ${appends} appends under faults: ${lost} lost, ` +
          `${duplicated} duplicated, ${hangs} hangs, ${misdelivered} misdelivered; ` +
          `${sentAgain} calls sent again (an unhandled rejection fails the test)\n`,
      );
    }
    expect({ lost, duplicated, hangs, misdelivered }).toEqual({
      lost: 0,
      duplicated: 0,
      hangs: 0,
      misdelivered: 0,
    });
    expect(appends).toBeGreaterThanOrEqual(APPENDS);
  });
});
