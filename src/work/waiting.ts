/** The place of one that waits. */
export interface Place<Answer> {
  /** Undefined: nothing came in time. */
  readonly answer: Promise<Answer | undefined>;
  /** Counted from now, whatever was said before; until something is said it waits for ever. */
  leaveAfter(ms: number): void;
}

interface Entry<Wish, Answer> {
  readonly wish: Wish;
  readonly settle: (answer: Answer | undefined) => void;
  /** Something is being got for it. */
  isServed: boolean;
  wantsToLeave: boolean;
}

/** Those who wait, the longest first. Each is answered once, with something or with nothing. */
export class Waiting<Wish, Answer> {
  private readonly entries = new Set<Entry<Wish, Answer>>();
  private isClosed = false;

  get isEmpty(): boolean {
    return this.entries.size === 0;
  }

  /** Somebody for whom nothing is being got. */
  get isAnyFree(): boolean {
    return [...this.entries].some(({ isServed }) => !isServed);
  }

  add(wish: Wish, signal: AbortSignal): Place<Answer> {
    let timer: NodeJS.Timeout | undefined;
    const { promise, resolve } = withResolver<Answer | undefined>();
    const leave = (): void => this.leave(entry);
    const entry: Entry<Wish, Answer> = {
      wish,
      isServed: false,
      wantsToLeave: false,
      settle: (answer) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
        this.entries.delete(entry);
        resolve(answer);
      },
    };
    this.entries.add(entry);
    signal.addEventListener('abort', leave, { once: true });
    if (this.isClosed || signal.aborted) leave();
    const leaveAfter = (ms: number): void => {
      clearTimeout(timer);
      if (this.entries.has(entry)) timer = setTimeout(leave, ms);
    };
    return { answer: promise, leaveAfter };
  }

  /** Somebody for whom nothing is being got wants it. */
  isWanted(wants: (wish: Wish) => boolean): boolean {
    return this.firstOf(wants) !== undefined;
  }

  /** Gets something for the first that wants it. When that fails, it waits on in its place. */
  async serve(wants: (wish: Wish) => boolean, get: (wish: Wish) => Promise<Answer>): Promise<void> {
    const entry = this.firstOf(wants);
    if (entry === undefined) return;
    entry.isServed = true;
    try {
      entry.settle(await get(entry.wish));
    } finally {
      entry.isServed = false;
      if (entry.wantsToLeave) entry.settle(undefined);
    }
  }

  close(): void {
    this.isClosed = true;
    for (const entry of this.entries) this.leave(entry);
  }

  *[Symbol.iterator](): Iterator<Wish> {
    for (const { wish } of this.entries) yield wish;
  }

  private firstOf(wants: (wish: Wish) => boolean): Entry<Wish, Answer> | undefined {
    return [...this.entries].find(({ isServed, wish }) => !isServed && wants(wish));
  }

  /** What is being got for it is still given to it: it may have been got already. */
  private leave(entry: Entry<Wish, Answer>): void {
    entry.wantsToLeave = true;
    if (!entry.isServed) entry.settle(undefined);
  }
}

function withResolver<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
