import { Inject, Injectable } from '@nestjs/common';
import { sessionOfStream } from '../identity/derived-ids.js';
import { ChangeSignal } from '../storage/change-signal.js';
import type { AllPage, EventStore } from '../storage/event-store.js';
import { pause } from '../storage/pause.js';
import { EVENT_STORE } from '../tokens.js';

const PAGE_EVENTS = 100;
const ALL_SESSIONS = 'session-';
const RETRY_MS = 1_000;

/** What somebody waits for: a session's stream, or all sessions of a tenant. */
export type Topic = { readonly stream: string } | { readonly tenantId: string };

export interface Watch {
  readonly changes: ChangeSignal;
  close(): void;
}

interface Watched {
  readonly changes: ChangeSignal;
  watchers: number;
}

interface NewestPage {
  readonly after: bigint;
  readonly page: AllPage;
}

/**
 * Wakes those who follow the log. However many there are, the log is followed once, and who has seen
 * all before has what is new from here; while there is nobody, it is not followed.
 */
@Injectable()
export class NewEvents {
  private readonly watched = new Map<string, Watched>();
  private following: { readonly begun: Promise<bigint>; readonly end: AbortController } | undefined;
  private newest: NewestPage | undefined;

  constructor(@Inject(EVENT_STORE) private readonly events: EventStore) {}

  /** When this resolves, no later append to the topic goes unnoticed. */
  async watch(topic: Topic): Promise<Watch> {
    const name = nameOf(topic);
    const found = this.watched.get(name) ?? { changes: new ChangeSignal(), watchers: 0 };
    this.watched.set(name, found);
    found.watchers += 1;
    const close = (): void => this.leave(name, found);
    try {
      await this.follow();
    } catch (error) {
      close();
      throw error;
    }
    return { changes: found.changes, close };
  }

  /**
   * The events behind that position whose streams begin with the prefix, for those who watch. Undefined
   * when they are not at hand: then the store has them.
   */
  pageAfter(after: bigint, streamPrefix: string): AllPage | undefined {
    if (this.newest === undefined) return undefined;
    const { page } = this.newest;
    if (after === page.next) return { events: [], next: after, caughtUp: true };
    if (after !== this.newest.after) return undefined;
    return { ...page, events: page.events.filter(({ stream }) => stream.startsWith(streamPrefix)) };
  }

  /** Drops what is in memory of the stream. */
  forget(stream: string): void {
    if (this.newest?.page.events.some((event) => event.stream === stream)) this.newest = undefined;
  }

  private leave(name: string, watched: Watched): void {
    watched.watchers -= 1;
    if (watched.watchers > 0) return;
    this.watched.delete(name);
    if (this.watched.size > 0) return;
    this.following?.end.abort();
    this.following = undefined;
    this.newest = undefined;
  }

  private async follow(): Promise<void> {
    if (this.following === undefined) {
      const following = { begun: this.events.headPosition(), end: new AbortController() };
      this.following = following;
      following.begun.then(
        (head) => void this.run(head, following.end.signal),
        () => {
          if (this.following === following) this.following = undefined;
        },
      );
    }
    await this.following.begun;
  }

  private async run(head: bigint, signal: AbortSignal): Promise<void> {
    let after = head;
    while (!signal.aborted) {
      try {
        const filter = { streamPrefix: ALL_SESSIONS };
        const options = { maxCount: PAGE_EVENTS, signal, filter };
        for await (const page of this.events.subscribeAll(after, options)) {
          if (signal.aborted) return;
          this.newest = { after, page };
          after = page.next;
          this.notify(new Set(page.events.map(({ stream }) => stream)));
        }
      } catch {
        if (signal.aborted) return;
        // Whoever reads meets the same fault and says it; here it is only tried again.
        this.newest = undefined;
        for (const { changes } of this.watched.values()) changes.notify();
        await pause(RETRY_MS, signal);
      }
    }
  }

  private notify(streams: ReadonlySet<string>): void {
    const tenants = new Set<string>();
    for (const stream of streams) {
      this.watched.get(nameOf({ stream }))?.changes.notify();
      const tenantId = sessionOfStream(stream)?.tenantId;
      if (tenantId !== undefined) tenants.add(tenantId);
    }
    for (const tenantId of tenants) this.watched.get(nameOf({ tenantId }))?.changes.notify();
  }
}

function nameOf(topic: Topic): string {
  return 'stream' in topic ? `stream ${topic.stream}` : `tenant ${topic.tenantId}`;
}
