import { randomUUID } from 'node:crypto';
import { sessionStream } from '../identity/derived-ids.js';
import type { EventStore } from '../storage/event-store.js';

export type OnCollision = 'merge' | 'newIds' | 'fail';

/** Our ids for the sessions of other programs; one import gives a native session one id. */
export class SessionIds {
  private readonly given = new Map<string, string>();
  /** Derived id to the new one, where `newIds` gave another. */
  readonly replaced = new Map<string, string>();

  constructor(
    private readonly of: {
      readonly events: EventStore;
      readonly tenantId: string;
      /** The id that a native session gets unless it is taken and another one is wanted. */
      readonly derive: (nativeId: string) => string;
      readonly onCollision: OnCollision;
    },
  ) {}

  async idOf(nativeId: string, newId: () => string = randomUUID): Promise<string> {
    const known = this.given.get(nativeId);
    if (known !== undefined) return known;
    const derived = this.of.derive(nativeId);
    const isNew = this.of.onCollision === 'newIds' && (await this.exists(derived));
    const id = isNew ? newId() : derived;
    if (isNew) this.replaced.set(derived, id);
    this.given.set(nativeId, id);
    return id;
  }

  /** Which of these sessions were there before this import. */
  async existing(nativeIds: readonly string[]): Promise<readonly string[]> {
    const found: string[] = [];
    for (const nativeId of nativeIds) {
      const id = await this.idOf(nativeId);
      if (await this.exists(id)) found.push(id);
    }
    return found;
  }

  private async exists(sessionId: string): Promise<boolean> {
    const stream = sessionStream(this.of.tenantId, sessionId);
    return (await this.of.events.head(stream)) !== 'noStream';
  }
}
