import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import type { TenantSender } from '../commands/tenant-handling.js';
import type { TrailEvent } from '../domain/audit/trail-events.js';
import { CLOCK, type Clock } from '../tokens.js';
import { AuditTrail } from './audit-trail.js';

export const DENIAL_WINDOW_MS = 60_000;
const WINDOWS_MAX = 10_000;

export type Denial = Omit<Extract<TrailEvent, { readonly type: 'AccessDenied' }>['data'], 'count'>;

interface Window {
  readonly sender: TenantSender;
  readonly untilMs: number;
  readonly timer: NodeJS.Timeout;
  /** The newest of those that were not written yet. */
  denial: Denial;
  waiting: number;
}

/**
 * Records who was refused what. The first of a minute is written at once, those that follow as one:
 * somebody who tries without end fills no log. No request waits for it.
 */
@Injectable()
export class Denials implements BeforeApplicationShutdown {
  private readonly log = new Logger(Denials.name);
  private readonly windows = new Map<string, Window>();
  private readonly writing = new Set<Promise<void>>();

  constructor(
    private readonly trail: AuditTrail,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  note(sender: TenantSender, denial: Denial): void {
    const { tenantId, actor } = sender;
    const key = [tenantId, actor, denial.reason, denial.operation].join(' ');
    const window = this.windows.get(key);
    if (window !== undefined && this.clock() < window.untilMs) {
      window.denial = denial;
      window.waiting += 1;
      return;
    }
    if (window !== undefined) this.close(key, window);
    if (this.windows.size >= WINDOWS_MAX) this.closeAll();
    const timer = setTimeout(() => {
      const open = this.windows.get(key);
      if (open?.timer === timer) this.close(key, open);
    }, DENIAL_WINDOW_MS).unref();
    const untilMs = this.clock() + DENIAL_WINDOW_MS;
    this.windows.set(key, { sender, untilMs, timer, denial, waiting: 0 });
    this.write(sender, denial, 1);
  }

  /** What was refused until now stands in the log. */
  async beforeApplicationShutdown(): Promise<void> {
    this.closeAll();
    await Promise.all(this.writing);
  }

  private closeAll(): void {
    for (const [key, window] of this.windows) this.close(key, window);
  }

  private close(key: string, { sender, timer, denial, waiting }: Window): void {
    clearTimeout(timer);
    this.windows.delete(key);
    if (waiting > 0) this.write(sender, denial, waiting);
  }

  private write(sender: TenantSender, denial: Denial, count: number): void {
    const written = this.trail
      .record(sender, { type: 'AccessDenied', data: { ...denial, count } })
      .catch((error: unknown) => this.log.error(`a denial was not recorded: ${String(error)}`))
      .finally(() => this.writing.delete(written));
    this.writing.add(written);
  }
}
