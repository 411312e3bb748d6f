import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AskedCall, anthropicAnswer } from './provider-answers.js';

/** A tool call as the target gets it. */
export interface ToolRequest {
  readonly tool: string;
  readonly opKey: string;
}

export interface ModelRequest {
  readonly sessionId: string;
  readonly purpose: 'turn' | 'summary';
  readonly messages: readonly unknown[];
}

/** Answers are held back for as long as a machine takes: no time limit says before that it is unknown. */
const NO_LIMIT = { timeoutMs: 3_600_000 };

export const TARGET_TOOLS = [
  { ...NO_LIMIT, name: 'look_up', effect: 'readOnly' },
  {
    ...NO_LIMIT,
    name: 'pay',
    effect: 'keyedWrite',
    keyWindowMs: 86_400_000,
    keyField: { header: 'Idempotency-Key' },
  },
  { ...NO_LIMIT, name: 'order', effect: 'queryableWrite' },
  { ...NO_LIMIT, name: 'mail', effect: 'opaqueWrite' },
] as const;

export const WRITING_TOOLS = ['pay', 'order', 'mail'] as const;

/**
 * The world outside: tools that have effects, and a model. It does what it is asked at once, counts
 * it in memory and in a file, and can hold its answers back: that is when the asker is killed.
 */
export class FakeTarget {
  private holdsBack = false;
  private readonly effects = new Map<string, number>();
  private readonly requests = new Map<string, number>();
  private readonly waiting = new Set<() => void>();
  private onHeld: () => void = () => undefined;
  private readonly server = createServer((request, reply) => void this.serve(request, reply));

  constructor(private readonly effectsFile: string) {
    writeFileSync(effectsFile, '');
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** From now on everything is done, and only a model that asks for tools still answers. */
  holdBack(): void {
    this.holdsBack = true;
  }

  /** Answers what waits and, from now on, everything. */
  answer(): void {
    this.holdsBack = false;
    for (const send of this.waiting) send();
    this.waiting.clear();
  }

  /** Resolves when so many askers wait for an answer. */
  async held(count: number): Promise<void> {
    while (this.waiting.size < count) {
      await new Promise<void>((resolve) => {
        this.onHeld = resolve;
      });
    }
  }

  effectsOf(opKey: string): number {
    return this.effects.get(opKey) ?? 0;
  }

  requestsOf(opKey: string): number {
    return this.requests.get(opKey) ?? 0;
  }

  /** The same as `effectsOf`, from the file. */
  effectsInFile(opKey: string): number {
    const lines = readFileSync(this.effectsFile, 'utf8').split('\n');
    return lines.filter((line) => line === opKey).length;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async serve(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://target');
    if (request.method === 'GET') {
      send(reply, { found: this.effectsOf(searchParams.get('key') ?? '') > 0 });
      return;
    }
    const body: unknown = JSON.parse(await bodyOf(request));
    const answer =
      pathname === '/model'
        ? modelAnswer(body as ModelRequest)
        : this.carryOut(body as ToolRequest);
    if (!this.holdsBack || asksForTools(answer)) return send(reply, answer);
    const later = (): void => send(reply, answer);
    this.waiting.add(later);
    reply.once('close', () => this.waiting.delete(later));
    this.onHeld();
  }

  private carryOut({ tool, opKey }: ToolRequest): object {
    this.requests.set(opKey, this.requestsOf(opKey) + 1);
    if (tool === 'look_up') return { text: 'The price is 120.00 EUR.' };
    const isKnown = this.effectsOf(opKey) > 0;
    if (tool !== 'pay' || !isKnown) {
      this.effects.set(opKey, this.effectsOf(opKey) + 1);
      appendFileSync(this.effectsFile, `${opKey}\n`);
    }
    return { text: `Done: ${tool}.` };
  }
}

/** A model that needs no key: it asks for every tool once, then it is content. */
function modelAnswer({ sessionId, purpose, messages }: ModelRequest): object {
  if (purpose === 'summary') return { text: 'They talked about many things.' };
  const hasCalled = JSON.stringify(messages).includes('tool_result');
  if (!sessionId.startsWith('tools') || hasCalled) return anthropicAnswer(`I see, ${sessionId}.`);
  const calls = TARGET_TOOLS.map(({ name }): AskedCall => {
    return { id: `toolu_${name}`, name, input: { of: sessionId } };
  });
  return anthropicAnswer('I do it all.', calls);
}

function asksForTools(answer: object): boolean {
  return 'stop_reason' in answer && answer.stop_reason === 'tool_use';
}

function send(reply: ServerResponse, answer: object): void {
  if (!reply.destroyed) {
    reply.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
