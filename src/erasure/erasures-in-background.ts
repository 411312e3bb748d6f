import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { pause } from '../storage/pause.js';
import type { SessionEraser } from '../storage/session-eraser.js';
import { ERASER } from '../tokens.js';
import { Erasures } from './erasures.js';
import { ReturnedKeys } from './returned-keys.js';

/** Well below the minute within which every process has dropped what it knew. */
export const PASS_EVERY_MS = 3_000;

/**
 * Hears of the erasures of other processes, drops keys and contents from this one's memory, and goes on
 * with what nobody has finished. At its start it looks for keys that came back. Several may do the same at once.
 */
@Injectable()
export class ErasuresInBackground implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(ErasuresInBackground.name);
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  private heard = 0;
  private areKeysChecked = false;

  constructor(
    private readonly erasures: Erasures,
    private readonly returnedKeys: ReturnedKeys,
    @Inject(ERASER) private readonly eraser: SessionEraser,
  ) {}

  onApplicationBootstrap(): void {
    this.running = this.run(this.stopping.signal);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Everything that was erased since the last time. */
  async forgetAll(): Promise<void> {
    for (;;) {
      const erased = await this.eraser.erasedAfter(this.heard);
      for (const { tenantId, sessionId, number } of erased) {
        this.erasures.forget(tenantId, sessionId);
        this.heard = number;
      }
      if (erased.length === 0) return;
    }
  }

  private async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.forgetAll();
        this.areKeysChecked ||= await this.returnedKeys.destroy();
        await this.erasures.continueAll();
      } catch (error) {
        this.log.warn(`erasures wait for the next pass: ${String(error)}`);
      }
      await pause(PASS_EVERY_MS, signal);
    }
  }
}
