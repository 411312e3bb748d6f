import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type HoldfastClient, RefusedError } from './holdfast-client.js';
import { SCRIPTED_MODEL, type ScriptedMessage, scriptedAnswer } from './scripted-model.js';

export interface AgentTask {
  readonly sessionId: string;
  readonly bankUrl: string;
  readonly workerId: string;
  /** Tells the story; the demo prints it. */
  readonly report: (line: AgentLine) => void;
}

export type AgentLine =
  | { readonly kind: 'claimed'; readonly reason: string; readonly stoppedBy: string }
  | { readonly kind: 'calls'; readonly tool: string; readonly attempt: number }
  | {
      readonly kind: 'found';
      readonly tool: string;
      readonly state: string;
      readonly opKey: string;
    }
  | { readonly kind: 'asked'; readonly answer: string; readonly state: string }
  | { readonly kind: 'said'; readonly text: string };

interface Call {
  readonly callId: string;
  readonly tool: string;
  readonly state: string;
  readonly opKey: string;
  readonly nextAttempt?: number;
}

interface Restored {
  readonly standing: { readonly stoppedBy: string };
  readonly claim: { readonly runId: string; readonly epoch: number; readonly reason: string };
  readonly unresolved: readonly Call[];
}

interface Context {
  readonly contextId: string;
  readonly inputRevision: number;
  readonly delivers: readonly string[];
  readonly messages: readonly ScriptedMessage[];
}

/** A small agent loop: the same code runs a new session and one whose last owner died. */
export class DemoAgent {
  private owner = { epoch: 0, claimToken: randomBytes(16).toString('hex') };
  private runId = '';

  constructor(
    private readonly holdfast: HoldfastClient,
    private readonly task: AgentTask,
  ) {}

  async run(): Promise<void> {
    const restored = await this.restore();
    for (const call of restored.unresolved) await this.settle(call);
    for (let calls = await this.askModel(); calls.length > 0; calls = await this.askModel()) {
      for (const call of calls) await this.dispatch(call, 1);
    }
    await this.post(`/runs/${this.runId}/complete`, {});
  }

  /** The last owner's lease may still be live for a moment. */
  private async restore(): Promise<Restored> {
    for (;;) {
      try {
        const { workerId } = this.task;
        const { claimToken } = this.owner;
        const restored = await this.send<Restored>('/restore', { workerId, claimToken });
        this.owner = { ...this.owner, epoch: restored.claim.epoch };
        this.runId = restored.claim.runId;
        const { reason } = restored.claim;
        this.task.report({ kind: 'claimed', reason, stoppedBy: restored.standing.stoppedBy });
        return restored;
      } catch (error) {
        if (!(error instanceof RefusedError) || error.code !== 'owned') throw error;
        await pause(200);
      }
    }
  }

  private async settle(call: Call): Promise<void> {
    const { tool, state, opKey } = call;
    if (state === 'requested' || state === 'retryAuthorized') {
      return this.dispatch(call, call.nextAttempt ?? 1);
    }
    this.task.report({ kind: 'found', tool, state, opKey });
    await this.probe(call);
  }

  /** Nobody knows whether the payment was made, but the bank does. */
  private async probe({ callId, opKey }: Call): Promise<void> {
    const target = `${this.task.bankUrl}/payments?key=${opKey}`;
    const requestedAt = new Date().toISOString();
    const found = (await (await fetch(target)).json()) as { payments: readonly unknown[] };
    const answer = found.payments.length > 0 ? 'found' : 'notFound';
    const { call } = await this.send<{ call: Call }>(`/tool-calls/${callId}/probes`, {
      answer,
      requestedAt,
      evidence: {
        method: 'GET',
        target,
        statusCode: 200,
        excerpt: JSON.stringify(found),
        observedAt: new Date().toISOString(),
      },
    });
    this.task.report({ kind: 'asked', answer, state: call.state });
  }

  private async askModel(): Promise<readonly Call[]> {
    const context = await this.send<Context>('/context', {
      format: 'anthropic',
      instructions: 'You pay invoices. Never pay one twice.',
      now: new Date().toISOString().slice(0, 10),
    });
    const { contextId, inputRevision, delivers, messages } = context;
    const { modelCallId } = await this.post<{ modelCallId: string }>('/model-calls', {
      provider: 'anthropic',
      model: SCRIPTED_MODEL,
      contextId,
      inputRevision,
      delivers,
    });
    const response = scriptedAnswer(messages);
    const settled = await this.post<{ calls: readonly Call[] }>(
      `/model-calls/${modelCallId}/settle`,
      { response },
    );
    const said = (response.content as { text?: string }[]).find((block) => block.text);
    if (said?.text) this.task.report({ kind: 'said', text: said.text });
    return settled.calls;
  }

  /** The permit first; then the call, with its operation key; then what it answered. */
  private async dispatch({ callId, tool, opKey }: Call, attempt: number): Promise<void> {
    await this.post(`/tool-calls/${callId}/start`, { attempt });
    this.task.report({ kind: 'calls', tool, attempt });
    const content = await this.callTool(tool, opKey);
    await this.post(`/tool-calls/${callId}/result`, { attempt, content });
  }

  private async callTool(tool: string, opKey: string): Promise<string> {
    if (tool === 'look_up_invoice') return 'Invoice 4711: 120.00 EUR to ACME, due today.';
    const answer = await fetch(`${this.task.bankUrl}/payments`, {
      method: 'POST',
      body: JSON.stringify({ key: opKey, amount: '120.00' }),
    });
    return answer.text();
  }

  private post<T>(path: string, body: object): Promise<T> {
    return this.send<T>(path, { ...this.owner, ...body });
  }

  private send<T>(path: string, body: object): Promise<T> {
    return this.holdfast.post<T>(`/sessions/${this.task.sessionId}${path}`, body);
  }
}
