import { parentPort } from 'node:worker_threads';

/** To be called in a thread of `Threads`: does what it is given, one after the other. */
export function answerWork<Work, Found>(does: (work: Work) => Found | Promise<Found>): void {
  const answer = async (work: Work): Promise<void> => parentPort!.postMessage(await does(work));
  parentPort!.on('message', (work: Work) => void answer(work));
}
