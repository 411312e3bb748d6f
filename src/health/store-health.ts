import { Inject, Injectable } from '@nestjs/common';
import type { EventStore } from '../storage/event-store.js';
import { pause } from '../storage/pause.js';
import type { ReadModelStore } from '../storage/read-model-store.js';
import type { SessionEraser } from '../storage/session-eraser.js';
import { ERASER, EVENT_STORE, READ_MODELS } from '../tokens.js';

/** A store that takes longer is not there for those who wait. */
const ANSWER_MS_MAX = 3_000;

export interface StoresUp {
  readonly eventStore: boolean;
  readonly readModels: boolean;
  readonly keys: boolean;
}

/** Asks each store a small question. */
@Injectable()
export class StoreHealth {
  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(READ_MODELS) private readonly readModels: ReadModelStore,
    @Inject(ERASER) private readonly eraser: SessionEraser,
  ) {}

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
  const asked = new AbortController();
  const heard = question.then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([heard, pause(ANSWER_MS_MAX, asked.signal).then(() => false)]);
  } finally {
    asked.abort();
  }
}
