import type { ChangeSignal } from './change-signal.js';
import type { AllPage } from './event-store.js';

export interface FollowOptions {
  readonly after: bigint;
  readonly signal: AbortSignal;
  readonly changes: ChangeSignal;
  readonly readPage: (after: bigint) => Promise<AllPage>;
}

/** Pages until aborted: the first at once, then one for each time that there is something new. */
export async function* followAll(options: FollowOptions): AsyncGenerator<AllPage, void, void> {
  const { signal, changes, readPage } = options;
  let { after } = options;
  for (let first = true; !signal.aborted; first = false) {
    const changeCount = changes.changeCount;
    const page = await readPage(after);
    if (signal.aborted) return;
    if (first || page.next !== after) {
      after = page.next;
      yield page;
    } else {
      await changes.wait(changeCount, signal);
    }
  }
}
