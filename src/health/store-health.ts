import { Inject, Injectable } from '@nestjs/common';
import type { EventStore } from '../storage/event-store.js';
import { pause } from '../storage/pause.js';
import type { ReadModelStore } from '../storage/read-model-store.js';
import type { SessionEraser } from '../storage/session-eraser.js';
import { ERASER, EVENT_STORE, READ_MODELS } from '../tokens.js';
import { ReadModelLag } from './read-model-lag.js';

/** A store that takes longer is not there for those who wait. */
const ANSWER_MS_MAX = 3_000;

export interface StoresUp {
  readonly eventStore: boolean;
  readonly readModels: boolean;
  readonly keys: boolean;
}

/** Longer than a follower takes that is there. */
const BEHIND_SECONDS = 2;

/** Asks each store a small question. */
@Injectable()
export class StoreHealth {
  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(READ_MODELS) private readonly readModels: ReadModelStore,
    @Inject(ERASER) private readonly eraser: SessionEraser,
    private readonly lag: ReadModelLag,
  ) {}

  /**
   * How far read models are behind, in whole seconds, where that is worth a word: nobody keeps them
   * up to date (after a crash, until the lease of who did it ends), or whoever does it is too slow.
   */
  async behindSeconds(): Promise<number | undefined> {
    const seconds = await inTime(this.lag.longestSeconds());
    return seconds !== undefined && seconds >= BEHIND_SECONDS ? Math.floor(seconds) : undefined;
  }

  async ask(): Promise<StoresUp> {
    const [eventStore, readModels, keys] = await Promise.all([
      answers(this.events.headPosition()),
      answers(this.readModels.position('health')),
      answers(this.eraser.erasedAfter(Number.MAX_SAFE_INTEGER)),
    ]);
    return { eventStore, readModels, keys };
  }
}

async function answers(question: Promise<unknown>): Promise<boolean> {
  return (await inTime(question.then(() => true))) ?? false;
}

/** Undefined when the store fails, or takes too long. */
async function inTime<Answer>(question: Promise<Answer>): Promise<Answer | undefined> {
  const asked = new AbortController();
  const heard = question.catch(() => undefined);
  try {
    return await Promise.race([heard, pause(ANSWER_MS_MAX, asked.signal).then(() => undefined)]);
  } finally {
    asked.abort();
  }
}
