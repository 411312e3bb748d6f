import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, HttpClient, type Sending } from './http-client.js';

const ANSWER_MS_MAX = 4_000;
const AGAIN_MS = 50;

/**
 * A client of several instances: asks any of them, and the next with the identical request when
 * one is gone, asleep, or cannot serve now. What it sends must be repeatable.
 */
export class AnyInstance extends HttpClient {
  /** How often a request was sent again. */
  sentAgain = 0;

  constructor(private readonly instances: () => readonly HttpClient[]) {
    super('http://none', '');
  }

  override async send<Body>(
    method: string,
    path: string,
    sending: Sending = {},
  ): Promise<Answer<Body>> {
    for (;;) {
      const instances = this.instances();
      const one = instances[Math.floor(Math.random() * instances.length)];
      const answer = one && (await answerOf(one.send<Body>(method, path, sending)));
      if (answer !== undefined && answer.status < 500) return answer;
      this.sentAgain += 1;
      await sleep(AGAIN_MS);
    }
  }
}

async function answerOf<Body>(asked: Promise<Answer<Body>>): Promise<Answer<Body> | undefined> {
  const heard = asked.catch(() => undefined);
  const enough = new AbortController();
  const { signal } = enough;
  const late = sleep(ANSWER_MS_MAX, undefined, { signal }).catch(() => undefined);
  try {
    return await Promise.race([heard, late]);
  } finally {
    enough.abort();
  }
}
