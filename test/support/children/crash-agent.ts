import { randomBytes, randomUUID } from 'node:crypto';
import type { CallBody, CompactionBody, ContextBody, RestoreBody } from '../api-views.js';
import type { ModelRequest, ToolRequest } from '../fake-target.js';
import { RefusedError, RetryingClient } from '../retrying-client.js';

/**
 * An agent program as a worker should be: it makes its own ids, starts nothing before it is durable
 * and never runs a call from memory. The crash tests kill it. What it has to say goes to stdout,
 * one JSON line each.
 */
interface Task {
  readonly url: string;
  readonly targetUrl: string;
  readonly workerId: string;
  readonly sessionIds: readonly string[];
}

/** Another worker owns the session now. */
class RetiredError extends Error {}

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

class Agent {
  private readonly claimToken = randomBytes(16).toString('hex');
  private epoch = 0;
  runId = '';

  constructor(
    private readonly holdfast: RetryingClient,
    private readonly task: Task,
    private readonly sessionId: string,
  ) {}

  async run(): Promise<void> {
    const { unresolved, context } = await this.restore();
    await Promise.all(unresolved.map((call) => this.settle(call)));
    const isLong = this.sessionId.startsWith('compaction');
    if (isLong && !JSON.stringify(context.messages).includes('Summary of')) await this.compact();
    for (let calls = await this.turn(); calls.length > 0; calls = await this.turn()) {
      const dispatched = await Promise.allSettled(calls.map((call) => this.dispatch(call, 1)));
      for (const call of dispatched) if (call.status === 'rejected') throw call.reason;
    }
    await this.own(`/runs/${this.runId}/complete`, {});
  }

  /** A shutdown in good order. */
  async interrupt(): Promise<void> {
    if (this.runId !== '') await this.own(`/runs/${this.runId}/interrupt`, {});
  }

  private async restore(): Promise<RestoreBody> {
    const { workerId } = this.task;
    const claim = { workerId, claimToken: this.claimToken, runId: `run-of-${this.claimToken}` };
    const restored = await this.post<RestoreBody>('/restore', { ...claim, format: 'anthropic' });
    this.epoch = restored.claim!.epoch;
    this.runId = restored.claim!.runId;
    say({ claimed: this.sessionId, reason: restored.claim!.reason, standing: restored.standing });
    return restored;
  }

  /** What an owner that is gone has left: a permitted retry is made, an unknown write is asked for. */
  private async settle(call: CallBody): Promise<void> {
    say({ found: call.tool, state: call.state, attempts: call.attempts, opKey: call.opKey });
    if (call.state === 'requested' || call.state === 'retryAuthorized') {
      return this.dispatch(call, call.nextAttempt ?? 1);
    }
    if (call.state !== 'unknown') return;
    const requestedAt = new Date().toISOString();
    const target = `${this.task.targetUrl}/operations?key=${call.opKey}`;
    const { found } = (await (await fetch(target)).json()) as { found: boolean };
    const evidence = { method: 'GET', target, observedAt: new Date().toISOString() };
    const probe = { answer: found ? 'found' : 'notFound', requestedAt, evidence };
    await this.post(`/tool-calls/${call.callId}/probes`, probe);
  }

  private async turn(): Promise<readonly CallBody[]> {
    const request = { format: 'anthropic', instructions: 'Be brief.' };
    const context = await this.post<ContextBody>('/context', request);
    const { contextId, inputRevision, delivers, messages } = context;
    const modelCallId = randomUUID();
    const ids = { modelCallId, messageId: randomUUID() };
    await this.own('/model-calls', { ...ids, contextId, inputRevision, delivers });
    const response = await this.askModel({ sessionId: this.sessionId, purpose: 'turn', messages });
    const settled = await this.own<{ calls: readonly CallBody[] }>(
      `/model-calls/${modelCallId}/settle`,
      { response },
    );
    return settled.calls;
  }

  private async compact(): Promise<void> {
    const compactionId = randomUUID();
    const start = { compactionId, keepGroups: 1 };
    const { text = '' } = await this.own<CompactionBody>('/compactions', start);
    const { sessionId } = this;
    const request = { sessionId, purpose: 'summary' as const, messages: [text] };
    const { text: summary } = await this.askModel<{ text: string }>(request);
    await this.own(`/compactions/${compactionId}/commit`, { summary });
  }

  /** The permit first, then the call with its operation key, then what it answered. */
  private async dispatch({ callId, tool, opKey }: CallBody, attempt: number): Promise<void> {
    await this.own(`/tool-calls/${callId}/start`, { attempt });
    const { text } = await this.askTarget<{ text: string }>('/tools', { tool, opKey });
    const result = { attempt, content: text };
    try {
      await this.own(`/tool-calls/${callId}/result`, result);
    } catch (error) {
      if (!(error instanceof RefusedError) || error.problem.code !== 'stale_epoch') throw error;
      await this.reportLate(callId, result);
      throw new RetiredError();
    }
  }

  /** Somebody else owns the session now: nothing more is dispatched, but an answer is not lost. */
  private async reportLate(callId: string, result: object): Promise<void> {
    const refused = await Promise.all([
      this.codeOf(`/runs/${this.runId}/heartbeat`, {}),
      this.codeOf('/model-calls', { modelCallId: randomUUID() }),
      this.codeOf(`/tool-calls/${callId}/start`, { attempt: 2 }),
      this.codeOf(`/runs/${this.runId}/complete`, {}),
    ]);
    const late = { ...result, claimedEpoch: this.epoch };
    await this.post(`/tool-calls/${callId}/late-result`, late);
    say({ late: this.sessionId, refused });
  }

  private async codeOf(path: string, body: object): Promise<string> {
    try {
      await this.own(path, body);
      return 'accepted';
    } catch (error) {
      return error instanceof RefusedError ? error.problem.code : String(error);
    }
  }

  private askModel<Answer>(request: ModelRequest): Promise<Answer> {
    return this.askTarget<Answer>('/model', request);
  }

  private async askTarget<Answer>(path: string, body: ToolRequest | ModelRequest): Promise<Answer> {
    const sent = { method: 'POST', body: JSON.stringify(body) };
    return (await (await fetch(`${this.task.targetUrl}${path}`, sent)).json()) as Answer;
  }

  private own<Answer>(path: string, body: object): Promise<Answer> {
    const { epoch, claimToken } = this;
    return this.post<Answer>(path, { epoch, claimToken, ...body });
  }

  private post<Answer>(path: string, body: object): Promise<Answer> {
    return this.holdfast.post<Answer>(`/v1/sessions/${this.sessionId}${path}`, body);
  }
}

const task = JSON.parse(process.argv[2] ?? '{}') as Task;
const client = new RetryingClient(task.url, process.env.AGENT_KEY ?? '', (ack) => say({ ack }));
const agents = task.sessionIds.map((sessionId) => new Agent(client, task, sessionId));
process.once('SIGTERM', () => {
  void Promise.all(agents.map((agent) => agent.interrupt())).then(() => process.exit(0));
});
await Promise.all(
  agents.map((agent) =>
    agent.run().catch((error: unknown) => {
      if (!(error instanceof RetiredError)) throw error;
    }),
  ),
);
process.exit(0);
