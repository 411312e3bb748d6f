import { randomUUID } from 'node:crypto';
import esdb from '@eventstore/db-client';
import { StoreUnavailableError } from '../event-store.js';
import { textOf } from './call-failure.js';
import { type EsdbConnection, within } from './esdb-connection.js';
import { IDENTITY_STREAM } from './own-streams.js';

/** One event, written by the first instance: whoever comes at the same time reads the other's. */
export class StoreIdentity {
  private known: string | undefined;

  constructor(private readonly connection: EsdbConnection) {}

  /** @throws StoreUnavailableError */
  async storeId(): Promise<string> {
    this.known ??= (await this.stored()) ?? (await this.make());
    return this.known;
  }

  private async make(): Promise<string> {
    const { client, times } = this.connection;
    const data = Buffer.from(JSON.stringify({ storeId: randomUUID() }));
    const event = { id: randomUUID(), type: 'StoreMade', isJson: true, data };
    const appended = client.append(
      IDENTITY_STREAM,
      'noStream',
      [{ ...event, metadata: Buffer.from('{}') }],
      times.appendTryMs,
    );
    try {
      await within('the identity of the store', times.appendTryMs, appended);
    } catch (cause) {
      throw new StoreUnavailableError(`EventStoreDB was given no identity: ${textOf(cause)}`, 2, {
        cause,
      });
    }
    const made = await this.stored();
    if (made !== undefined) return made;
    throw new StoreUnavailableError('EventStoreDB keeps no identity of the store', 2);
  }

  private async stored(): Promise<string | undefined> {
    const [first] = await this.connection.read('the identity of the store', (client) =>
      client.readStream(IDENTITY_STREAM, {
        direction: esdb.FORWARDS,
        fromRevision: esdb.START,
        maxCount: 1,
        requiresLeader: true,
      }),
    );
    const { storeId } = (first?.data ?? {}) as { readonly storeId?: unknown };
    return typeof storeId === 'string' ? storeId : undefined;
  }
}
