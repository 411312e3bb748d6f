import { ProblemError } from '../problem.js';
import type { Dispatch, Request, Sender } from './dispatch.js';
import type { SessionLoader } from './session-loader.js';
import type { Feeds } from './feeds.js';
import type { RestOperation } from './rest-operations.js';

/** One request: who asks, and for how long an answer is waited for. */
export class Asking {
  constructor(
    private readonly dispatch: Dispatch,
    private readonly sender: Sender,
    readonly sessions: SessionLoader,
    readonly feeds: Feeds,
    private readonly timeout?: AbortSignal,
  ) {}

  /** @throws whatever the operation refuses with; ProblemError `request_timeout`. */
  async ask(operation: RestOperation, request: Request): Promise<unknown> {
    const { timeout } = this;
    if (timeout?.aborted) throw tooLong();
    const answer = this.dispatch(operation, request, this.sender);
    // A command that is under way is not given up: whoever sent it has to learn what became of it.
    if (timeout === undefined || operation.offer.kind === 'mutation') return answer;
    return beforeTimeout(answer, timeout);
  }
}

async function beforeTimeout<Answer>(answer: Promise<Answer>, timeout: AbortSignal) {
  let giveUp: () => void = () => undefined;
  const over = new Promise<never>((_, reject) => {
    giveUp = () => reject(tooLong());
    timeout.addEventListener('abort', giveUp, { once: true });
  });
  try {
    return await Promise.race([answer, over]);
  } finally {
    timeout.removeEventListener('abort', giveUp);
  }
}

function tooLong(): ProblemError {
  const advice = 'the request took too long: ask for less, or for a part at a time';
  return new ProblemError('request_timeout', advice);
}
