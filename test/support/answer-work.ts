import { parentPort } from 'node:worker_threads';

/** Of one piece of work; what failed is told, so that the thread lives on. */
export type WorkAnswer<Found> = { readonly found: Found } | { readonly failure: string };

/** To be called in a thread of `Threads`: does what it is given, one after the other. */
export function answerWork<Work, Found>(does: (work: Work) => Found | Promise<Found>): void {
  const answer = async (work: Work): Promise<WorkAnswer<Found>> => {
    try {
      return { found: await does(work) };
    } catch (error) {
      return { failure: error instanceof Error ? String(error.stack) : String(error) };
    }
  };
  parentPort!.on('message', (work: Work) => {
    void answer(work).then((answered) => parentPort!.postMessage(answered));
  });
}
