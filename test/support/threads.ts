import { Worker } from 'node:worker_threads';
import type { WorkAnswer } from './answer-work.js';
import { type CompiledSources, compileForChildren } from './compile-for-children.js';

/** How many threads long searches have; `npm run test:simulation` and the like take every core. */
const COUNT = Number(process.env['THREADS'] ?? 1);

/**
 * Threads in which compiled code runs as it does in a server: in Jest's sandbox the same code takes
 * twice as long. What they are given and what they find has to be plain data.
 */
export class Threads<Work, Found> {
  private readonly compiled: CompiledSources;
  private readonly threads: readonly Thread<Work, Found>[];

  /** @param source a module of the project that calls `answerWork` */
  constructor(folders: readonly string[], source: string) {
    this.compiled = compileForChildren(folders);
    const file = this.compiled.fileOf(source);
    this.threads = Array.from({ length: COUNT }, () => new Thread<Work, Found>(file));
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
          const found = await thread.ask(next.value);
          all.push(found);
          isDone ||= isEnough(found);
        }
      }),
    );
    return all;
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()));
    this.compiled.remove();
  }
}

/** One that has ended says so to whoever asks it, and keeps nobody waiting. */
class Thread<Work, Found> {
  private readonly worker: Worker;
  private end: Error | undefined;
  private asker:
    { answer(answered: WorkAnswer<Found>): void; fail(error: Error): void } | undefined;

  constructor(file: string) {
    this.worker = new Worker(file);
    this.worker.on('message', (answered: WorkAnswer<Found>) => this.asker?.answer(answered));
    this.worker.on('error', (error: Error) => this.ended(error));
    this.worker.on('exit', () => this.ended(new Error(`the thread of ${file} has ended`)));
  }

  async ask(work: Work): Promise<Found> {
    if (this.end !== undefined) throw this.end;
    const answered = await new Promise<WorkAnswer<Found>>((answer, fail) => {
      this.asker = { answer, fail };
      this.worker.postMessage(work);
    });
    if ('failure' in answered) throw new Error(answered.failure);
    return answered.found;
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }

  private ended(error: Error): void {
    this.end ??= error;
    this.asker?.fail(this.end);
  }
}
