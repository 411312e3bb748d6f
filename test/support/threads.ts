import { Worker } from 'node:worker_threads';
import { type CompiledSources, compileForChildren } from './compile-for-children.js';

/** How many threads long searches have; `npm run test:simulation` and the like take every core. */
const COUNT = Number(process.env['THREADS'] ?? 1);

/**
 * Threads in which compiled code runs as it does in a server: in Jest's sandbox the same code takes
 * twice as long. What they are given and what they find has to be plain data.
 */
export class Threads<Work, Found> {
  private readonly compiled: CompiledSources;
  private readonly threads: readonly Worker[];

  /** @param source a module of the project that calls `answerWork` */
  constructor(folders: readonly string[], source: string) {
    this.compiled = compileForChildren(folders);
    const file = this.compiled.fileOf(source);
    this.threads = Array.from({ length: COUNT }, () => new Worker(file));
  }

  /** In order, each by the first thread that is free, until one finds enough. */
  async find(
    works: Iterable<Work>,
    isEnough: (found: Found) => boolean = () => false,
  ): Promise<Found[]> {
    const left = works[Symbol.iterator]();
    const all: Found[] = [];
    let isDone = false;
    await Promise.all(
      this.threads.map(async (thread) => {
        for (let next = left.next(); !next.done && !isDone; next = left.next()) {
          const found = await answered<Work, Found>(thread, next.value);
          all.push(found);
          isDone ||= isEnough(found);
        }
      }),
    );
    return all;
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.terminate()));
    this.compiled.remove();
  }
}

function answered<Work, Found>(thread: Worker, work: Work): Promise<Found> {
  return new Promise((resolve, reject) => {
    thread.once('error', reject);
    thread.once('message', (found: Found) => {
      thread.off('error', reject);
      resolve(found);
    });
    thread.postMessage(work);
  });
}
