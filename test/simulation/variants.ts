import { SettleCalls } from '../../src/commands/settle-calls.js';
import type { EventStore } from '../../src/storage/event-store.js';
import { MemoryEventStore } from '../../src/storage/memory/memory-event-store.js';
import { IgnoresExpectation, SkipsOneEvent } from '../support/broken-event-stores.js';
import type { VariantName } from './search.js';
import type { Variant } from './simulation.js';

/** Says of a batch now and then that it was written, and keeps nothing of it. */
class ForgetsBatches extends MemoryEventStore {
  private appends = 0;

  override async append(...parameters: Parameters<EventStore['append']>) {
    const [, expected, events] = parameters;
    this.appends += 1;
    if (this.appends % 15 !== 0) return super.append(...parameters);
    const revision = (expected === 'noStream' ? -1 : expected) + events.length;
    const position = (await this.headPosition()) + BigInt(events.length);
    return { outcome: 'written' as const, revision, position, repeated: false };
  }
}

/** Nobody takes the steps that are due. */
const NOTHING_IS_SETTLED = {
  all: <State>(_scope: unknown, state: State): Promise<State> => Promise.resolve(state),
};

/** One piece of the whole is broken; each has to be found out. */
export const VARIANTS: Readonly<Record<VariantName, Variant>> = {
  'acknowledged events are lost': { events: () => new ForgetsBatches() },
  'events are appended at any revision': { events: () => new IgnoresExpectation() },
  'read models miss an event now and then': { events: () => new SkipsOneEvent() },
  'nothing is reconciled': { replaced: new Map([[SettleCalls, NOTHING_IS_SETTLED]]) },
};
