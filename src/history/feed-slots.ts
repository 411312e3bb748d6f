import { Rejection } from '../domain/rejection.js';

export const FEEDS_OPEN_MAX = 512;
/** Then the reader comes again, and whether it still may is asked again. */
export const FEED_OPEN_MS_MAX = 15 * 60_000;

export interface FeedSlot {
  readonly signal: AbortSignal;
  /** Its time begins anew, unless it is over. */
  readonly goOn: () => void;
  readonly end: () => void;
}

/** The feeds that are open, by tenant. */
export class FeedSlots {
  private readonly ends = new Set<() => void>();
  private readonly counts = new Map<string, number>();

  constructor(private readonly openMsMax: number) {}

  /**
   * A tenant gets another feed while it has fewer than are free: alone half of them, and whoever else
   * comes finds some.
   * @throws Rejection `limit_exceeded`
   */
  take(tenantId: string): FeedSlot {
    const count = this.counts.get(tenantId) ?? 0;
    if (count >= FEEDS_OPEN_MAX - this.ends.size) {
      const detail = `this server has no more than ${count} feeds for this tenant; close one of them`;
      throw new Rejection('limit_exceeded', detail, { limit: 'feedsOpenMax' });
    }
    this.counts.set(tenantId, count + 1);
    const ending = new AbortController();
    const end = (): void => {
      clearTimeout(timer);
      ending.abort();
      if (this.ends.delete(end)) this.leave(tenantId);
    };
    const timer = setTimeout(end, this.openMsMax).unref();
    this.ends.add(end);
    return {
      signal: ending.signal,
      goOn: () => void (ending.signal.aborted || timer.refresh()),
      end,
    };
  }

  endAll(): void {
    for (const end of this.ends) end();
  }

  private leave(tenantId: string): void {
    const left = (this.counts.get(tenantId) ?? 1) - 1;
    if (left === 0) this.counts.delete(tenantId);
    else this.counts.set(tenantId, left);
  }
}
