import { parentPort } from 'node:worker_threads';

/** To be called in a thread of `Threads`: does what it is given, one after the other. */
export function answerWork<Work, Found>(does: (work: Work) => Found | Promise<Found>): void {
  parentPort!.on('message', async (work: Work) => {
    parentPort!.postMessage(await does(work));
  });
}
