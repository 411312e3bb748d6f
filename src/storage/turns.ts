/**
 * Lets work of one name run in the order in which it came, one at a time; work of other names is
 * not held up.
 */
export class Turns {
  private readonly last = new Map<string, Promise<unknown>>();

  async take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(name);
    const own = before === undefined ? work() : before.then(work, work);
    this.last.set(name, own);
    try {
      return await own;
    } finally {
      if (this.last.get(name) === own) this.last.delete(name);
    }
  }
}
