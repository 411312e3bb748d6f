import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import esdb from '@eventstore/db-client';
import grpc from '@grpc/grpc-js';
import { newBatch, newStream, wholeStream } from '../../../test/support/event-batches.js';
import { EventStoreDbDouble } from '../../../test/support/eventstoredb/eventstoredb-double.js';
import { failureOf } from './call-failure.js';
import { EventStoreDbEventStore } from './eventstoredb-event-store.js';
import { snapshotStream } from './own-streams.js';

/** Answers of the client that are not what they look like. */
describe('what the EventStoreDB client answers wrongly', () => {
  let double: EventStoreDbDouble;
  let store: EventStoreDbEventStore;

  beforeEach(async () => {
    double = await EventStoreDbDouble.start();
    store = new EventStoreDbEventStore({ url: double.url });
  });
  afterEach(async () => {
    await store.close();
    double.stop();
  });

  async function asClient<Answer>(
    ask: (client: esdb.EventStoreDBClient) => Promise<Answer>,
  ): Promise<Answer> {
    const client = esdb.EventStoreDBClient.connectionString(double.url);
    const answer = await ask(client);
    await client.dispose();
    return answer;
  }

  it('nextExpectedRevision is always 1 without throwOnAppendFailure: an append answers the real one', async () => {
    const stream = newStream();
    const revisions: unknown[] = [];
    for (const [expected, count] of [
      ['noStream', 1],
      [0, 3],
      [3, 2],
      [3, 1],
    ] as const) {
      const outcome = await store.append(stream, expected, newBatch(count));
      revisions.push(
        outcome.outcome === 'written' ? outcome.revision : [outcome.currentRevision, 'refused'],
      );
    }
    expect(revisions).toEqual([0, 3, 5, [5, 'refused']]);
  });

  it('metastreamRevision is a position: the metadata of a stream are written again, and are never asked for', async () => {
    const stream = newStream();
    for (let revision = 0; revision < 40; revision += 1) {
      await store.saveSnapshot(stream, { revision, schemaVersion: 1, state: `"${revision}"` });
    }
    expect(await store.loadSnapshot(stream, 1)).toMatchObject({ revision: 39, state: '"39"' });
    const name = snapshotStream(stream, 1);
    const limits = double.log.recordsOf(`$$${name}`).map(({ data }) => data.toString('utf8'));
    expect(limits.length).toBeGreaterThan(1);
    expect(new Set(limits)).toEqual(new Set(['{"$maxCount":16}']));
    const read = double.log.readStream(name, { from: 'start', backwards: false, count: 100 });
    expect(read).toMatchObject({ result: 'ok', records: { length: 16 } });
  });

  it('truncateBefore of a soft delete is no number that can be compared: such a stream is named, not begun anew', async () => {
    const stream = newStream();
    await store.append(stream, 'noStream', newBatch(3));
    await asClient((client) => client.deleteStream(stream));
    const metadata = await asClient((client) => client.getStreamMetadata(stream));
    expect(metadata.metadata?.truncateBefore).toBeGreaterThanOrEqual(2 ** 53);
    expect(await store.head(stream)).toBe('noStream');
    await expect(store.append(stream, 'noStream', newBatch(1))).rejects.toThrow(
      /deleted .* softly/,
    );
  });

  it('a gRPC "write after end" comes as Unavailable, and says nothing of what was written', async () => {
    const error = Object.assign(new Error('14 UNAVAILABLE: write after end'), {
      code: grpc.status.UNAVAILABLE,
      details: 'write after end',
      metadata: new grpc.Metadata(),
    });
    expect(failureOf(esdb.convertToCommandError(error))).toBe('unknown');
    expect(failureOf(error)).toBe('unknown');
    const stream = newStream();
    double.faults.next('append', 'answerLost');
    await store.append(stream, 'noStream', newBatch(2));
    expect(await wholeStream(store, stream)).toHaveLength(2);
  });

  it('none of the calls that mislead is in the adapter', () => {
    const files = readdirSync(import.meta.dirname).filter((name) => !name.endsWith('.spec.ts'));
    const text = files.map((name) => readFileSync(join(import.meta.dirname, name), 'utf8')).join();
    expect(files.length).toBeGreaterThan(10);
    for (const call of [
      'appendToStream',
      'throwOnAppendFailure',
      'getStreamMetadata',
      'metastreamRevision',
      'truncateBefore',
    ]) {
      expect([call, text.includes(call)]).toEqual([call, false]);
    }
  });
});
