import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { EventBody } from '../support/api-views.js';
import { type RunningChild, startNode } from '../support/child-process.js';
import { ServerProcess } from '../support/server-process.js';
import { SessionWorker } from '../support/session-worker.js';
import { temporaryFolder } from '../support/temporary-folder.js';

jest.setTimeout(120_000);

const WORKER = join(import.meta.dirname, '../../examples/worker.mjs');
const LEASE_MS = 2_000;

/** A shop that knows operation keys, and a model behind the API that many servers have. */
class World {
  /** Charges that were made, by operation key. */
  readonly charges = new Map<string, number>();
  readonly asked: { readonly messages: readonly { role: string; content: unknown }[] }[] = [];
  /** What becomes of a charge's answer; the charge itself is made. */
  answers: 'sent' | 'kept' | 'cut' = 'sent';
  private readonly server = createServer((request, reply) => void this.serve(request, reply));

  async open(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async serve(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    if (request.url === '/v1/chat/completions') {
      const body = JSON.parse(text) as World['asked'][number];
      this.asked.push(body);
      reply.setHeader('Content-Type', 'application/json').end(JSON.stringify(completion(body)));
      return;
    }
    const key = String(request.headers['idempotency-key']);
    this.charges.set(key, this.charges.get(key) ?? 1);
    if (this.answers === 'sent') reply.end('charged once');
    if (this.answers === 'cut') request.socket.destroy();
  }
}

function completion({ messages }: World['asked'][number]): object {
  const last = messages.at(-1)!;
  const call = { id: 'c1', type: 'function', function: { name: 'charge', arguments: '{"eur":1}' } };
  const message =
    last.role === 'user'
      ? { role: 'assistant', content: null, tool_calls: [call] }
      : { role: 'assistant', content: `I read: ${JSON.stringify(last.content)}` };
  const usage = { prompt_tokens: 50, completion_tokens: 10, total_tokens: 60 };
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'gpt-4o',
    choices: [{ index: 0, message }],
    usage,
  };
}

const world = new World();
const folder = temporaryFolder();
const workers: RunningChild[] = [];
let worldUrl = '';
let server: ServerProcess;

beforeAll(async () => {
  worldUrl = await world.open();
  const environment = { HOLDFAST_LEASE_TTL_MS: String(LEASE_MS) };
  server = await ServerProcess.start({ folder, environment });
});
afterAll(async () => {
  await Promise.all(workers.map(kill));
  await server.end('SIGTERM');
  world.close();
  folder.remove();
});

function worker(...parameters: readonly string[]): RunningChild {
  const child = startNode(WORKER, parameters, {
    HOLDFAST_URL: server.url,
    HOLDFAST_API_KEY: server.key,
    SHOP_URL: worldUrl,
    OPENAI_API_KEY: 'of the model',
  });
  workers.push(child);
  return child;
}

const openAi = (): RunningChild => worker('--model', 'gpt-4o', '--base-url', `${worldUrl}/v1`);

function withKey(key: string, ...parameters: readonly string[]): RunningChild {
  const environment = { HOLDFAST_URL: server.url, HOLDFAST_API_KEY: key, SHOP_URL: worldUrl };
  const child = startNode(WORKER, parameters, environment);
  workers.push(child);
  return child;
}

async function kill(child: RunningChild): Promise<void> {
  child.process.kill('SIGKILL');
  await child.ended;
}

async function session(input: string): Promise<SessionWorker> {
  const started = new SessionWorker(server.http);
  await started.start();
  await started.input(input);
  return started;
}

async function eventsWhen(
  started: SessionWorker,
  isThere: (events: readonly EventBody[]) => boolean,
): Promise<readonly EventBody[]> {
  const giveUpMs = Date.now() + 100_000;
  for (;;) {
    const events = await started.events();
    if (isThere(events)) return events;
    if (Date.now() > giveUpMs)
      throw new Error(`it stayed ${events.map(({ type }) => type).join()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const has =
  (type: string) =>
  (events: readonly EventBody[]): boolean =>
    events.some((event) => event.type === type);
const typesOf = (events: readonly EventBody[]): string[] => events.map(({ type }) => type);

describe('the worker of the examples', () => {
  it('is short, and uses nothing but what Node has', () => {
    const text = readFileSync(WORKER, 'utf8');
    expect(text.split('\n').length).toBeLessThan(150 + 1);
    const imports = [...text.matchAll(/from '([^']+)'/g)].map(([, name]) => name);
    const others = imports.filter((name) => !name?.startsWith('node:'));
    expect(others).toEqual(['./scripted-model.mjs']);
  });

  it('moves a session with the scripted model, and is given back in good order', async () => {
    const child = worker('--model', 'scripted');
    const started = await session('How warm is it?');
    const events = await eventsWhen(started, has('RunCompleted'));
    expect(typesOf(events)).toEqual(
      expect.arrayContaining(['ToolCallStarted', 'ToolResultRecorded']),
    );
    const { messages } = await started.context();
    expect(JSON.stringify(messages)).toContain('It says: 21 degrees');
    child.process.kill('SIGTERM');
    expect((await child.ended).exitCode).toBe(0);
  });

  it('moves a session with a model behind the usual API, and sends the operation key along', async () => {
    const child = openAi();
    const started = await session('Charge one euro.');
    const events = await eventsWhen(started, has('RunCompleted'));
    const { opKey } = events.find(({ type }) => type === 'ToolCallRequested')!.data;
    expect(world.charges.get(String(opKey))).toBe(1);
    expect(JSON.stringify(world.asked.at(-1)!.messages)).toContain('charged once');
    await kill(child);
  });

  it('killed while a charge is under way, is followed by one that charges once', async () => {
    world.answers = 'kept';
    const before = world.charges.size;
    const child = openAi();
    const started = await session('Charge one euro.');
    while (world.charges.size === before) await new Promise((resolve) => setTimeout(resolve, 20));
    await kill(child);
    world.answers = 'sent';
    const next = openAi();
    const events = await eventsWhen(started, has('RunCompleted'));
    const starts = events.filter(({ type }) => type === 'ToolCallStarted');
    expect(starts.map(({ data }) => data['basis'])).toEqual(['first', 'keyedWithinWindow']);
    expect(typesOf(events)).toContain('RecoveryAttempted');
    expect(world.charges.size).toBe(before + 1);
    await kill(next);
  });

  it('says unknown, and never failed, when a connection breaks', async () => {
    world.answers = 'cut';
    const child = openAi();
    const started = await session('Charge one euro.');
    const events = await eventsWhen(started, has('ToolOutcomeUnknown'));
    expect(events.find(({ type }) => type === 'ToolOutcomeUnknown')?.data).toMatchObject({
      reason: 'transport',
    });
    expect(typesOf(events)).not.toContain('ToolResultRecorded');
    world.answers = 'sent';
    await kill(child);
  });

  it('without a valid key says so in one line', async () => {
    const { exitCode, stderr } = await withKey('hf_wrong', '--model', 'scripted').ended;
    expect(exitCode).toBe(1);
    expect(stderr.trim()).not.toContain('\n');
    expect(stderr).toMatch(/key/i);
  });

  it('works with a key of the role worker, and ends in good order while it waits', async () => {
    const made = await server.http.post<{ key: string }>('/v1/keys', {
      name: 'agents',
      roles: ['worker'],
    });
    const child = withKey(made.body.key, '--model', 'scripted');
    const started = await session('How warm is it?');
    await eventsWhen(started, has('RunCompleted'));
    child.process.kill('SIGINT');
    const { exitCode, stdout, stderr } = await child.ended;
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('manifest:write')]);
    expect(stdout).toContain(`${started.sessionId}: done`);
  });

  it.each([
    ['without a model', [], 'model'],
    ['with a model and no address', ['--model', 'gpt-4o'], 'base-url'],
  ])('%s does not begin', async (_, parameters, word) => {
    const { exitCode, stderr } = await withKey(server.key, ...parameters).ended;
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(word)]);
  });
});
