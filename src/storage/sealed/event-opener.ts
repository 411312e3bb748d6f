import { frozen } from '../../domain/frozen.js';
import { sessionOfStream, sessionStream } from '../../identity/derived-ids.js';
import type { ArtifactOwner } from '../artifact-store.js';
import type { EventStore, RecordedEvent } from '../event-store.js';
import { withSealed, withValue } from '../event-value.js';
import { MissingKeyError } from '../missing-key-error.js';
import { partsOf } from './chain.js';
import { type SealedPlace, damagedData, eraseData, openData, sealIn } from './event-seal.js';
import { OpenedEvents } from './opened-events.js';
import type { SessionAccess, SessionKeys } from './session-keys.js';
import { type SessionKey, combinedKey } from './session-secret.js';

const LINEAGES_KEPT_MAX = 10_000;

/** Content that is made of what a session has inherited: it is lost with any of their keys. */
const DERIVED = 'Compacted';

/** Opens what was read, as far as there are keys. */
export class EventOpener {
  /** The sessions whose events a fork has inherited, by its stream. */
  private readonly lineages = new Map<string, readonly string[]>();

  /** Only of keys that are in memory: with them goes what they opened. */
  private readonly newest = new OpenedEvents();

  constructor(
    private readonly store: EventStore,
    private readonly keys: SessionKeys,
  ) {
    keys.whenDropped(({ tenantId, sessionId }) =>
      this.newest.forget(sessionStream(tenantId, sessionId)),
    );
  }

  /** @param isEndOfLog then others will ask for the same events in a moment. */
  async open(
    events: readonly RecordedEvent[],
    isEndOfLog = false,
  ): Promise<readonly RecordedEvent[]> {
    const opened: RecordedEvent[] = [];
    for (const stored of events) {
      opened.push(
        this.newest.find(stored) ??
          this.openedAtOnce(stored, isEndOfLog) ??
          withData(stored, await this.openedData(stored)),
      );
    }
    return opened;
  }

  /** The key for an event's content: its session's, or one that needs those of its ancestors too. */
  sealingKey({ stream, type }: SealedPlace, own: SessionKey): SessionKey | Promise<SessionKey> {
    return type === DERIVED ? this.combinedKeyOf(stream, own) : own;
  }

  private async combinedKeyOf(stream: string, own: SessionKey): Promise<SessionKey> {
    const owner = sessionOfStream(stream)!;
    const accesses = await this.ancestors(stream, owner);
    const others = accesses.flatMap((access) => (access.kind === 'open' ? [access.key] : []));
    return combinedKey([own, ...others]);
  }

  /**
   * Of a session whose key is in memory, as nearly all are: waiting for it would cost more. Opened when
   * somebody wants to know what is in it: a read model of costs passes most events over.
   */
  private openedAtOnce(stored: RecordedEvent, isEndOfLog: boolean): RecordedEvent | undefined {
    const seal = sealIn(stored.data);
    const owner = sessionOfStream(stored.stream);
    if (seal === undefined || owner === undefined) return withData(stored, stored.data);
    const access = this.keys.inMemory(owner);
    if (access?.kind !== 'open' || access.key.keyId !== seal.keyId) return undefined;
    const { key } = access;
    const open = (): object | string => {
      const data = openData(seal, stored, key) ?? damagedData(stored.data);
      // Others have it too.
      return isEndOfLog ? frozen(data) : data;
    };
    const { metadata } = partsOf(stored.metadata);
    const opened = withSealed<RecordedEvent>({ ...stored, metadata }, open, stored.data.length);
    if (isEndOfLog) this.newest.keep(stored, opened);
    return opened;
  }

  private async openedData(stored: RecordedEvent): Promise<string | object> {
    const { data, type } = stored;
    const seal = sealIn(data);
    const owner = sessionOfStream(stored.stream);
    if (seal === undefined || owner === undefined) return data;
    const own = await this.accessOf(owner);
    const keyIds = seal.keyId.split('+');
    const others = keyIds.length === 1 ? [] : await this.ancestors(stored.stream, owner);
    const found = keyIds.map((keyId) =>
      [own, ...others].find((access) => keyIdOf(access) === keyId),
    );
    if (found.some((access) => access?.kind === 'erased')) return eraseData(data, type);
    const keys = found.flatMap((access) => (access?.kind === 'open' ? [access.key] : []));
    if (keys.length !== keyIds.length) return data;
    return openData(seal, stored, combinedKey(keys)) ?? damagedData(data);
  }

  private async ancestors(
    stream: string,
    { tenantId }: ArtifactOwner,
  ): Promise<readonly SessionAccess[]> {
    const accesses: SessionAccess[] = [];
    for (const sessionId of await this.lineage(stream)) {
      const access = await this.accessOf({ tenantId, sessionId });
      if (access !== undefined) accesses.push(access);
    }
    return accesses;
  }

  private async lineage(stream: string): Promise<readonly string[]> {
    const known = this.lineages.get(stream);
    if (known !== undefined) return known;
    const [first] = await this.store.read(stream, { from: 0, to: 0, maxCount: 1 });
    return first === undefined ? [] : this.noteBeginning(stream, first);
  }

  /** @param first the stream's first event: of a fork it says what it has inherited. */
  noteBeginning(
    stream: string,
    first: { readonly type: string; readonly data: string },
  ): readonly string[] {
    const parsed: unknown = first.type === 'Forked' ? JSON.parse(first.data) : {};
    const { segments = [] } = parsed as {
      readonly segments?: readonly { readonly sessionId: string }[];
    };
    const lineage = [...new Set(segments.map(({ sessionId }) => sessionId))];
    this.lineages.set(stream, lineage);
    const [oldest] = this.lineages.keys();
    if (this.lineages.size > LINEAGES_KEPT_MAX && oldest !== undefined) {
      this.lineages.delete(oldest);
    }
    return lineage;
  }

  /** A key that is missing leaves sealed what it would open; the others are read. */
  private async accessOf(owner: ArtifactOwner): Promise<SessionAccess | undefined> {
    try {
      return this.keys.inMemory(owner) ?? (await this.keys.of(owner));
    } catch (error) {
      if (error instanceof MissingKeyError) return undefined;
      throw error;
    }
  }
}

/** @param data text, or a value that its text is made of when somebody wants it. */
function withData(stored: RecordedEvent, data: string | object): RecordedEvent {
  const { metadata } = partsOf(stored.metadata);
  if (typeof data === 'string') return { ...stored, metadata, data };
  return withValue<RecordedEvent>({ ...stored, metadata }, data, stored.data.length);
}

function keyIdOf(access: SessionAccess | undefined): string | undefined {
  if (access === undefined || access.kind === 'unsealed') return undefined;
  return access.kind === 'open' ? access.key.keyId : access.keyId;
}
