import { createSecretKey, randomBytes } from 'node:crypto';
import type { EventStore } from '../../src/storage/event-store.js';
import type { KeyStore } from '../../src/storage/key-store.js';
import { MemoryEventStore } from '../../src/storage/memory/memory-event-store.js';
import { MemoryKeyStore } from '../../src/storage/memory/memory-key-store.js';
import { SealedEventStore, beginningOf } from '../../src/storage/sealed/sealed-event-store.js';
import { SessionKeys } from '../../src/storage/sealed/session-keys.js';

/** One installation's stores in memory, which several processes can open. */
export class SealedStores {
  private readonly wrappingKey = createSecretKey(randomBytes(32));

  constructor(
    readonly stored: EventStore = new MemoryEventStore(),
    readonly keys: KeyStore = new MemoryKeyStore(),
  ) {}

  open(): { readonly events: SealedEventStore; readonly sessionKeys: SessionKeys } {
    const sessionKeys = new SessionKeys({
      store: this.keys,
      wrapping: () => this.wrappingKey,
      beginningOf: (owner) => beginningOf(this.stored, owner),
    });
    return { events: new SealedEventStore(this.stored, sessionKeys), sessionKeys };
  }
}
