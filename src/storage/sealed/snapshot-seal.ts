import { sessionOfStream } from '../../identity/derived-ids.js';
import type { Snapshot } from '../event-store.js';
import type { SessionKeys } from './session-keys.js';
import { opened, sealed } from './session-secret.js';

const SEALED = /^1\.([A-Za-z0-9_-]+)$/;

export interface OpenedSnapshot extends Snapshot {
  /** The chain's value at its revision, where it was known. */
  readonly chain?: string;
}

/** Snapshots under the session's key: one that does not open is no snapshot. */
export class SnapshotSeal {
  constructor(private readonly keys: SessionKeys) {}

  /** Undefined when the session is erased: nothing of it is written again. */
  async sealed(
    stream: string,
    snapshot: Snapshot,
    chain: string | undefined,
  ): Promise<Snapshot | undefined> {
    const access = await this.accessOf(stream);
    if (access === undefined || access.kind === 'unsealed') return snapshot;
    if (access.kind === 'erased') return undefined;
    const text = JSON.stringify([chain ?? null, snapshot.state]);
    const { encryption, keyId } = access.key;
    const state = `1.${sealed(encryption, text, boundTo(stream, snapshot, keyId))}`;
    return { ...snapshot, state };
  }

  async opened(stream: string, snapshot: Snapshot): Promise<OpenedSnapshot | undefined> {
    const access = await this.accessOf(stream);
    const seal = SEALED.exec(snapshot.state)?.[1];
    if (access === undefined || access.kind === 'unsealed') {
      return seal === undefined ? snapshot : undefined;
    }
    if (access.kind === 'erased' || seal === undefined) return undefined;
    const { encryption, keyId } = access.key;
    const text = opened(encryption, seal, boundTo(stream, snapshot, keyId));
    if (text === undefined) return undefined;
    const [chain, state] = JSON.parse(text) as readonly [string | null, string];
    return { ...snapshot, state, chain: chain ?? undefined };
  }

  private async accessOf(stream: string) {
    const owner = sessionOfStream(stream);
    return owner === undefined ? undefined : this.keys.of(owner);
  }
}

function boundTo(stream: string, { revision, schemaVersion }: Snapshot, keyId: string): string {
  return JSON.stringify(['snapshot', stream, revision, schemaVersion, keyId]);
}
