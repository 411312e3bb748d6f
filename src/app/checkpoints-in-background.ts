import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  Module,
  type OnApplicationBootstrap,
  Optional,
} from '@nestjs/common';
import { ALARMS, type Alarms } from '../alarms.js';
import type { CheckpointLog } from '../storage/checkpoint-log.js';
import type { EventStore } from '../storage/event-store.js';
import { pause } from '../storage/pause.js';
import { BrokenLogError, makeCheckpoint } from '../storage/sealed/checkpoints.js';
import { CHECKPOINTS, CLOCK, type Clock, SEALED_EVENTS } from '../tokens.js';

const EVERY_MS = 60 * 60 * 1000;
/** What is not signed by then is signed at the next start. */
const LAST_MS_MAX = 3_000;

/** A signed checkpoint at the start, every hour, and at an orderly shutdown. */
@Injectable()
export class CheckpointsInBackground implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('Checkpoints');
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    @Inject(SEALED_EVENTS) private readonly events: EventStore,
    @Inject(CHECKPOINTS) private readonly checkpoints: CheckpointLog,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(ALARMS) private readonly alarms: Alarms,
    @Optional() private readonly lastMsMax: number = LAST_MS_MAX,
  ) {}

  onApplicationBootstrap(): void {
    this.running = this.run(this.stopping.signal);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.running;
    await this.make(AbortSignal.timeout(this.lastMsMax));
  }

  private async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.make(signal);
      await pause(EVERY_MS, signal);
    }
  }

  /** A log that was changed is an alarm, and no reason to stop serving what is intact. */
  private async make(signal: AbortSignal): Promise<void> {
    try {
      await makeCheckpoint(this.events, this.checkpoints, this.clock(), signal);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (!(error instanceof BrokenLogError)) {
        return this.log.warn(`no checkpoint could be made: ${text}`);
      }
      this.alarms('verification_failed');
      this.log.error(`verification_failed: ${text}`);
    }
  }
}

@Module({ providers: [CheckpointsInBackground] })
export class CheckpointsModule {}
