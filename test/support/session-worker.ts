import { randomBytes, randomUUID } from 'node:crypto';
import type {
  CallBody,
  ClaimBody,
  ContextBody,
  EventBody,
  EventPageBody,
  ReceiptBody,
  SessionBody,
} from './api-views.js';
import type { Answer, HttpClient } from './http-client.js';

/** An answer that is not 2xx, where a test expects one. */
export class UnexpectedAnswerError extends Error {
  constructor(
    readonly path: string,
    readonly answer: Answer,
  ) {
    super(`${path} answered ${answer.status}: ${answer.text.slice(0, 1_000)}`);
    this.name = 'UnexpectedAnswerError';
  }
}

/** One session as a worker sees it: keeps epoch and claim token, and expects success. */
export class SessionWorker {
  owner = { epoch: 0, claimToken: randomBytes(16).toString('hex') };
  runId = '';

  constructor(
    /** Another one after a restart. */
    public http: HttpClient,
    readonly sessionId: string = randomUUID(),
    readonly workerId = 'worker-1',
  ) {}

  path(rest = ''): string {
    return `/v1/sessions/${this.sessionId}${rest}`;
  }

  start(body: object = {}): Promise<ReceiptBody> {
    return this.ok('POST', '/v1/sessions', { sessionId: this.sessionId, ...body });
  }

  input(content: unknown, more: object = {}): Promise<ReceiptBody & { inputId: string }> {
    return this.ok('POST', this.path('/inputs'), { content, ...more });
  }

  async claim(more: object = {}): Promise<ClaimBody> {
    const { workerId } = this;
    const { claimToken } = this.owner;
    const claim = await this.ok<ClaimBody>('POST', this.path('/runs'), {
      workerId,
      claimToken,
      ...more,
    });
    this.owner = { claimToken, epoch: claim.epoch };
    this.runId = claim.runId;
    return claim;
  }

  context(body: object = {}): Promise<ContextBody> {
    return this.ok('POST', this.path('/context'), body);
  }

  /** Context, model call and its answer; answers the calls that the model asked for. */
  async turn(response: object, started: object = {}): Promise<readonly CallBody[]> {
    const { contextId, inputRevision, delivers } = await this.context();
    const modelCallId = randomUUID();
    await this.post('/model-calls', {
      modelCallId,
      contextId,
      inputRevision,
      delivers,
      ...started,
    });
    return (await this.settle(modelCallId, { response })).calls;
  }

  settle(modelCallId: string, body: object): Promise<ReceiptBody & { calls: CallBody[] }> {
    return this.post(`/model-calls/${modelCallId}/settle`, body);
  }

  permit(callId: string, attempt = 1): Promise<ReceiptBody & { opKey: string; deadline: string }> {
    return this.post(`/tool-calls/${callId}/start`, { attempt });
  }

  /** The permit of a further attempt, as soon as the server allows one. */
  async permitAgain(callId: string, attempt: number): Promise<ReceiptBody & { opKey: string }> {
    const giveUpMs = Date.now() + 20_000;
    for (;;) {
      try {
        return await this.permit(callId, attempt);
      } catch (error) {
        const status = error instanceof UnexpectedAnswerError ? error.answer.status : 0;
        if (status !== 409 || Date.now() > giveUpMs) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }

  result(callId: string, content: unknown, more: object = {}): Promise<{ call?: CallBody }> {
    return this.post(`/tool-calls/${callId}/result`, { content, ...more });
  }

  complete(): Promise<ReceiptBody> {
    return this.post(`/runs/${this.runId}/complete`, {});
  }

  /** A request of the owner. */
  post<Body>(path: string, body: object): Promise<Body> {
    return this.ok<Body>('POST', this.path(path), { ...this.owner, ...body });
  }

  read(): Promise<SessionBody> {
    return this.ok('GET', this.path());
  }

  async events(): Promise<readonly EventBody[]> {
    const events: EventBody[] = [];
    for (let from: number | undefined = 0; from !== undefined;) {
      const page: EventPageBody = await this.ok('GET', this.path(`/events?first=200&from=${from}`));
      events.push(...page.events);
      from = page.next;
    }
    return events;
  }

  async ok<Body>(method: string, path: string, body?: object): Promise<Body> {
    const answer = await this.http.send<Body>(method, path, { body });
    if (answer.status >= 300) throw new UnexpectedAnswerError(path, answer);
    return answer.body;
  }
}
