import { Inject, Injectable } from '@nestjs/common';
import { SESSION_STREAMS } from '../projections/projector.js';
import { type ProjectionStatus, Projectors } from '../projections/projectors.js';
import type { EventStore } from '../storage/event-store.js';
import { CLOCK, type Clock, EVENT_STORE } from '../tokens.js';

const LOOK_AHEAD_EVENTS = 100;

/** How old the oldest event is that a read model does not show yet. */
@Injectable()
export class ReadModelLag {
  constructor(
    private readonly projectors: Projectors,
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Of the read model that is farthest behind. */
  async longestSeconds(): Promise<number> {
    let longest = 0;
    for (const status of await this.projectors.status()) {
      longest = Math.max(longest, await this.seconds(status));
    }
    return longest;
  }

  async seconds({ position, lag }: Pick<ProjectionStatus, 'position' | 'lag'>): Promise<number> {
    if (lag === '0') return 0;
    const filter = { streamPrefix: SESSION_STREAMS };
    const page = await this.events.readAll(BigInt(position), LOOK_AHEAD_EVENTS, filter);
    const [oldest] = page.events;
    if (oldest === undefined) return 0;
    return Math.max(0, (this.clock() - oldest.recordedAtMs) / 1_000);
  }
}
