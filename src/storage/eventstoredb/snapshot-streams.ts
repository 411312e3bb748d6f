import { randomUUID } from 'node:crypto';
import { types } from 'node:util';
import esdb from '@eventstore/db-client';
import type { Snapshot } from '../event-store.js';
import { type EsdbConnection, type EsdbEvent, within } from './esdb-connection.js';
import { snapshotStream } from './own-streams.js';

const SNAPSHOTS_KEPT = 16;

/** The newest snapshots of a stream, in a stream of their own that the server cuts short. */
export class SnapshotStreams {
  constructor(private readonly connection: EsdbConnection) {}

  /** Of two at one revision the later one counts. */
  async load(
    stream: string,
    schemaVersion: number,
    maxRevision = Number.MAX_SAFE_INTEGER,
  ): Promise<Snapshot | undefined> {
    const name = snapshotStream(stream, schemaVersion);
    // Nearly always the last one is wanted, and states are large.
    const [last] = await this.newest(name, 1);
    const snapshot = last && snapshotIn(last, schemaVersion);
    if (last === undefined || (snapshot && snapshot.revision <= maxRevision)) return snapshot;
    let best: Snapshot | undefined;
    for (const event of await this.newest(name, SNAPSHOTS_KEPT)) {
      const one = snapshotIn(event, schemaVersion);
      if (one === undefined || one.revision > maxRevision) continue;
      if (best === undefined || one.revision > best.revision) best = one;
    }
    return best;
  }

  async save(stream: string, { revision, schemaVersion, state }: Snapshot): Promise<void> {
    const name = snapshotStream(stream, schemaVersion);
    const answer = await this.append(name, state, { revision });
    if (!answer.written || answer.revision % SNAPSHOTS_KEPT !== 0) return;
    await this.limit(name, SNAPSHOTS_KEPT);
  }

  /** An event that is no snapshot comes last, and is all that is left to read. */
  async drop(stream: string, schemaVersion: number): Promise<void> {
    const name = snapshotStream(stream, schemaVersion);
    const [last] = await this.newest(name, 1);
    if (last === undefined) return;
    if (snapshotIn(last, schemaVersion) !== undefined) await this.append(name, '', {});
    await this.limit(name, 1);
  }

  /** A second copy of a cache does no harm: whatever is there, it is appended. */
  private append(name: string, state: string, metadata: { readonly revision?: number }) {
    const { client, times } = this.connection;
    this.connection.checkOpen();
    const event = {
      id: randomUUID(),
      type: 'Snapshot',
      isJson: false,
      data: Buffer.from(state),
      metadata: Buffer.from(JSON.stringify(metadata)),
    };
    const appended = client.append(name, 'any', [event], times.appendTryMs);
    return within(`an append to ${name}`, times.appendTryMs, appended);
  }

  private async limit(name: string, maxCount: number): Promise<void> {
    const { client, times } = this.connection;
    const cut = client.limitStream(name, maxCount, times.appendTryMs);
    await within(`the limit of ${name}`, times.appendTryMs, cut);
  }

  private newest(name: string, maxCount: number): Promise<EsdbEvent[]> {
    return this.connection.read(`a read of ${name}`, (client) =>
      client.readStream(name, {
        direction: esdb.BACKWARDS,
        fromRevision: esdb.END,
        maxCount,
        requiresLeader: true,
      }),
    );
  }
}

function snapshotIn(event: EsdbEvent, schemaVersion: number): Snapshot | undefined {
  const revision = (event.metadata as { revision?: unknown } | undefined)?.revision;
  if (typeof revision !== 'number' || !types.isUint8Array(event.data)) return undefined;
  return { revision, schemaVersion, state: Buffer.from(event.data).toString('utf8') };
}
