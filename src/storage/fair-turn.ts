import { setImmediate } from 'node:timers';

/** How long work may go on before others get their turn. */
const TURN_MS_MAX = 10;

const waiting: (() => void)[] = [];
let isComing = false;
/** Since when nobody else could have had a turn. */
let sinceMs = 0;

/**
 * What answers at once, as SQLite does, never lets the event loop go on by itself: who reads page
 * after page would keep all requests waiting until he is done. Awaited between two pieces of work
 * it lets others in when the pieces together took long; those who wait go on one each turn.
 */
export function fairTurn(): Promise<void> | undefined {
  const nowMs = performance.now();
  if (nowMs - sinceMs < TURN_MS_MAX) return undefined;
  // From here on others run: requests that come in are not counted with what was before.
  sinceMs = nowMs;
  return new Promise((resolve) => {
    waiting.push(resolve);
    come();
  });
}

/** Whether somebody goes on only when others have had their turn. */
export function letsOthersIn(): boolean {
  return waiting.length > 0;
}

function come(): void {
  if (isComing) return;
  isComing = true;
  setImmediate(() => {
    isComing = false;
    sinceMs = performance.now();
    waiting.shift()?.();
    if (waiting.length > 0) come();
  });
}
