import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ReceiptBody } from '../support/api-views.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { commandLineWith } from '../support/command-line.js';
import { ANTHROPIC_MODEL, anthropicAnswer } from '../support/provider-answers.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(120_000);

let app: AppInProcess;
const commandLine = commandLineWith(() => app.environment);
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

interface BranchBody {
  readonly items: readonly {
    readonly kind: string;
    readonly text: string;
    readonly state?: string;
  }[];
  readonly next?: number;
  readonly counts: { readonly events: number; readonly toolCalls: number };
  readonly cost: { readonly amounts: readonly object[]; readonly unpricedCalls: number };
  readonly complete: boolean;
}

interface ComparisonBody {
  readonly related: boolean;
  readonly common: { readonly events: number; readonly upTo?: object };
  readonly one: BranchBody;
  readonly other: BranchBody;
  readonly facts: readonly object[];
  readonly note: string;
}

async function asked(worker: SessionWorker, question: string, answer: object): Promise<void> {
  await worker.input(question);
  await worker.claim();
  const model = { provider: 'anthropic', model: ANTHROPIC_MODEL };
  const calls = await worker.turn(answer, model);
  for (const { callId } of calls) {
    await worker.permit(callId);
    await worker.result(callId, 'found it');
  }
  await worker.complete();
  worker.owner = { ...worker.owner, claimToken: randomUUID() };
}

async function factOf(worker: SessionWorker, text: string): Promise<void> {
  const facts = [{ factId: 'goal', kind: 'goal', text }];
  const key = { 'Idempotency-Key': randomUUID() };
  expect((await app.http.post(worker.path('/facts'), { facts }, key)).status).toBe(200);
}

async function parentAndFork(): Promise<readonly [SessionWorker, SessionWorker]> {
  const parent = new SessionWorker(app.http);
  await parent.start();
  await factOf(parent, 'Find it.');
  await asked(parent, 'First question.', anthropicAnswer('First answer.'));
  const { sessionId } = await parent.ok<ReceiptBody>('POST', parent.path('/forks'), {});
  const fork = new SessionWorker(app.http, sessionId, 'worker-2');
  const look = { id: 'toolu_1', name: 'look', input: { where: 'here' } };
  await asked(parent, 'Second question.', anthropicAnswer('Second answer.'));
  await asked(fork, 'Another question.', anthropicAnswer('I look.', [look]));
  await factOf(fork, 'Leave it.');
  return [parent, fork];
}

const compared = (one: SessionWorker, other: SessionWorker, more = '') =>
  one.ok<ComparisonBody>('GET', one.path(`/compare?with=${other.sessionId}${more}`));

const textsOf = ({ items }: BranchBody) => items.map(({ kind, text }) => `${kind}: ${text}`);

describe('comparing two sessions', () => {
  it('shows what each has after what both have: messages, calls, facts, cost', async () => {
    const [parent, fork] = await parentAndFork();
    const found = await compared(parent, fork);
    expect(found.related).toBe(true);
    expect(found.common.upTo).toMatchObject({ sessionId: parent.sessionId });
    expect(textsOf(found.one)).toEqual(['user: Second question.', 'assistant: Second answer.']);
    expect(textsOf(found.other)).toEqual([
      'user: Another question.',
      'assistant: I look.',
      'toolCall: {"where":"here"}',
      'facts: Leave it.',
    ]);
    expect(found.other.items[2]).toMatchObject({ tool: 'look', state: 'completed' });
    const spent = { amounts: [{ currency: 'USD', amountPico: '4500000000' }], unpricedCalls: 0 };
    expect([found.one.cost, found.other.cost]).toEqual([spent, spent]);
    expect(found.facts).toMatchObject([
      { factId: 'goal', one: { text: 'Find it.' }, other: { text: 'Leave it.' } },
    ]);
    const turned = await compared(fork, parent);
    expect([turned.common, turned.one, turned.other]).toEqual([
      found.common,
      found.other,
      found.one,
    ]);
  });

  it('goes page by page', async () => {
    const [parent, fork] = await parentAndFork();
    const whole = await compared(parent, fork);
    const items: unknown[] = [];
    for (let from: number | undefined = 0; from !== undefined;) {
      const page = await compared(parent, fork, `&first=1&otherFrom=${from}`);
      items.push(...page.other.items);
      from = page.other.next;
    }
    expect(items).toEqual(whole.other.items);
  });

  it('of two forks of one session, and of a session with itself', async () => {
    const [parent, fork] = await parentAndFork();
    const { sessionId } = await parent.ok<ReceiptBody>('POST', parent.path('/forks'), { at: 1 });
    const early = new SessionWorker(app.http, sessionId);
    expect((await compared(early, fork)).common).toMatchObject({
      events: 2,
      upTo: { sessionId: parent.sessionId, revision: 1 },
    });
    const same = await compared(parent, parent);
    expect(same.one.counts.events + same.other.counts.events).toBe(0);
  });

  it('says so where they have nothing in common, or one does not exist', async () => {
    const [parent] = await parentAndFork();
    const stranger = new SessionWorker(app.http);
    await stranger.start();
    const found = await compared(parent, stranger);
    expect(found).toMatchObject({ related: false, common: { events: 0 } });
    expect(found.note).toContain('no event in common');
    for (const query of ['?with=nobody', '']) {
      const { status } = await app.http.get(parent.path(`/compare${query}`));
      expect(status).toBe(query === '' ? 400 : 404);
    }
  });

  it('is `diff` on the command line', async () => {
    const [parent, fork] = await parentAndFork();
    const { exitCode, stdout, stderr } = await commandLine(
      'diff',
      parent.sessionId,
      fork.sessionId,
    );
    expect(exitCode).toBe(0);
    expect(stdout).toContain('<   user: Second question.');
    expect(stdout).toContain('>   look (completed): {"where":"here"}');
    expect(stdout).toContain('fact goal: "Find it." | "Leave it."');
    expect(stderr).toContain('events in common');
    const json = await commandLine('diff', parent.sessionId, fork.sessionId, '--json');
    expect(JSON.parse(json.stdout)).toEqual(await compared(parent, fork));
  });
});

describe('facts', () => {
  it('are read alone and with all their versions, over REST and on the command line', async () => {
    const [parent, fork] = await parentAndFork();
    const list = await fork.ok<{ facts: object[] }>('GET', fork.path('/facts'));
    expect(list.facts).toMatchObject([{ factId: 'goal', version: 2, text: 'Leave it.' }]);
    const one = await fork.ok<object>('GET', fork.path('/facts/goal'));
    expect(one).toMatchObject({
      current: { version: 2, text: 'Leave it.', at: { sessionId: fork.sessionId } },
      versions: [
        { version: 2, hidden: false },
        { version: 1, text: 'Find it.', at: { sessionId: parent.sessionId } },
      ],
      more: 0,
    });
    const { stdout } = await commandLine('facts', fork.sessionId, 'goal');
    expect(stdout).toBe('goal goal v2: Leave it.\ngoal goal v1: Find it.\n');
    const early = await parent.ok<{ facts: object[] }>('GET', parent.path('/facts?at=0'));
    expect(early.facts).toEqual([]);
    expect((await app.http.get(parent.path('/facts/nothing'))).status).toBe(404);
  });

  it('that were retired are listed on request, and no context shows them', async () => {
    const worker = new SessionWorker(app.http);
    await worker.start();
    await factOf(worker, 'Ship it.');
    const gone = [{ factId: 'goal', kind: 'goal', text: 'It is shipped.', retired: true }];
    const key = { 'Idempotency-Key': randomUUID() };
    await app.http.post(worker.path('/facts'), { facts: gone }, key);
    expect(await worker.ok('GET', worker.path('/facts'))).toEqual({ facts: [] });
    expect(await worker.ok('GET', worker.path('/facts?retired=true'))).toMatchObject({
      facts: [{ version: 2, retired: true }],
    });
    expect(JSON.stringify(await worker.context())).not.toContain('Ship it.');
  });
});
