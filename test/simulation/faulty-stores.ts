import {
  type AppendOutcome,
  AppendUnknownError,
  type EventStore,
  type EventToAppend,
  type ExpectedRevision,
  type RecordedEvent,
} from '../../src/storage/event-store.js';
import type { Lease } from '../../src/storage/lease-store.js';
import { MemoryEventStore } from '../../src/storage/memory/memory-event-store.js';
import { MemoryLeaseStore } from '../../src/storage/memory/memory-lease-store.js';
import type { BatchWrite } from '../../src/storage/read-model-store.js';
import { ListingReadModels } from '../projections/projection-world.js';
import type { Actor, Scheduler } from './scheduler.js';

type Append = EventStore['append'];

/** What all processes share, and each reaches through awaits at which it may die. */
export class SharedStores {
  readonly leases: MemoryLeaseStore;
  readonly readModels = new ListingReadModels();
  faults = true;
  /** By how much the clock of the lease store goes wrong. */
  leaseClockOffMs = 0;

  constructor(
    readonly scheduler: Scheduler,
    readonly events: MemoryEventStore,
    /** Hears of every batch that is really written, at that moment. */
    private readonly written: (stream: string, events: readonly RecordedEvent[]) => void,
  ) {
    this.leases = new MemoryLeaseStore(() => scheduler.nowMs + this.leaseClockOffMs);
  }

  /** The event store as one process sees it: its appends take time, and may end unknown. */
  eventsFor(actor: Actor): EventStore {
    const append: Append = (...parameters) => this.append(actor, ...parameters);
    return Object.assign(Object.create(this.events) as EventStore, { append });
  }

  leasesFor(actor: Actor): MemoryLeaseStore {
    const { leases, scheduler } = this;
    return new (class extends MemoryLeaseStore {
      override async acquire(...parameters: Parameters<MemoryLeaseStore['acquire']>) {
        await scheduler.turn(actor);
        return leases.acquire(...parameters);
      }
      override async seize(...parameters: Parameters<MemoryLeaseStore['seize']>) {
        await scheduler.turn(actor);
        return leases.seize(...parameters);
      }
      override renew(...parameters: Parameters<MemoryLeaseStore['renew']>) {
        return leases.renew(...parameters);
      }
      override release(...parameters: Parameters<MemoryLeaseStore['release']>) {
        return leases.release(...parameters);
      }
      override current(name: string): Promise<Lease | undefined> {
        return leases.current(name);
      }
    })();
  }

  readModelsFor(actor: Actor): ListingReadModels {
    const { readModels, scheduler } = this;
    return new (class extends ListingReadModels {
      override async write(batch: BatchWrite): Promise<void> {
        await scheduler.turn(actor);
        await readModels.write(batch);
      }
    })(readModels);
  }

  async logText(): Promise<string> {
    const { events } = await this.events.readAll(0n, 10_000);
    return events
      .map(({ position, stream, type, data }) => `${position} ${stream} ${type} ${data}`)
      .join('\n');
  }

  private async append(
    actor: Actor,
    stream: string,
    expected: ExpectedRevision,
    events: readonly EventToAppend[],
  ): Promise<AppendOutcome> {
    const { choices } = this.scheduler;
    await this.scheduler.turn(actor);
    if (this.faults && choices.oneIn(60)) throw new AppendUnknownError('nothing was written');
    const before = await this.events.head(stream);
    const outcome = await this.events.append(stream, expected, events);
    if (outcome.outcome === 'written' && !outcome.repeated) {
      const from = before === 'noStream' ? 0 : before + 1;
      this.written(stream, await this.events.read(stream, { from, maxCount: events.length + 1 }));
    }
    if (this.faults && choices.oneIn(60)) throw new AppendUnknownError('the answer got lost');
    await this.scheduler.turn(actor);
    return outcome;
  }
}
