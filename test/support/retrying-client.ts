import { setTimeout as pause } from 'node:timers/promises';
import type { ProblemBody, ReceiptBody } from './api-views.js';
import { type Answer, HttpClient } from './http-client.js';

const RETRY_EVERY_MS = 50;

/** A write that the server has acknowledged. */
export interface Acknowledged {
  readonly path: string;
  readonly body: object;
  readonly revision: number;
  readonly position: string;
}

/** The server said no; the same request would get the same answer. */
export class RefusedError extends Error {
  constructor(
    path: string,
    readonly problem: ProblemBody,
  ) {
    super(`${path}: ${problem.code}: ${problem.detail}`);
    this.name = 'RefusedError';
  }
}

/**
 * Sends a request until it is answered: the server may be gone for a while. That is safe because
 * the ids in the body stay the same.
 */
export class RetryingClient {
  private readonly http: HttpClient;

  constructor(
    url: string,
    key: string,
    private readonly acknowledged: (ack: Acknowledged) => void = () => undefined,
  ) {
    this.http = new HttpClient(url, key);
  }

  /** @throws RefusedError */
  async post<Body>(path: string, body: object): Promise<Body> {
    const answer = await this.answered(path, body);
    if (answer.status >= 300) throw new RefusedError(path, answer.body as ProblemBody);
    const { revision, position } = answer.body as ReceiptBody;
    if (position !== undefined) this.acknowledged({ path, body, revision, position });
    return answer.body as Body;
  }

  private async answered(path: string, body: object): Promise<Answer> {
    for (;;) {
      const answer = await this.http.post<ProblemBody>(path, body).catch(() => undefined);
      const isRetryable = answer !== undefined && answer.status >= 400 && answer.body?.retryable;
      if (answer !== undefined && !isRetryable) return answer;
      await pause(RETRY_EVERY_MS);
    }
  }
}
