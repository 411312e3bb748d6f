import type { ReadModelStore } from '../storage/read-model-store.js';
import { liveGeneration } from './generation.js';
import { pause } from '../storage/pause.js';
import type { Projection } from './projection.js';
import type { Projector } from './projector.js';

const FIRST_PAUSE_MS = 4;
const LONGEST_PAUSE_MS = 200;

/** The position of the documents that are served, as the store has it. */
export async function servedPosition(
  store: ReadModelStore,
  projection: Projection,
): Promise<bigint> {
  const live = await liveGeneration(store, projection);
  return store.position(live.positionName);
}

/**
 * Waits until the served documents contain everything up to `position`. Works in every process: it
 * asks the store, more and more seldom, and hears of it at once when `projector` runs here.
 */
export async function waitForPosition(
  store: ReadModelStore,
  projection: Projection,
  position: bigint,
  timeoutMs: number,
  projector?: Projector,
): Promise<'reached' | 'stale'> {
  const timeout = AbortSignal.timeout(Math.max(0, timeoutMs));
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    if ((await servedPosition(store, projection)) >= position) return 'reached';
    if (timeout.aborted || timeoutMs <= 0) return 'stale';
    projector?.wake();
    await pauseOrProgress(position, pauseMs, timeout, projector);
  }
}

async function pauseOrProgress(
  position: bigint,
  pauseMs: number,
  timeout: AbortSignal,
  projector: Projector | undefined,
): Promise<void> {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  const deaf = projector?.listen((reached) => {
    if (reached >= position) end();
  });
  timeout.addEventListener('abort', end, { once: true });
  await pause(pauseMs, ended.signal);
  timeout.removeEventListener('abort', end);
  deaf?.();
}
