import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { RestoreBody } from '../support/api-views.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { anthropicAnswer } from '../support/provider-answers.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(120_000);

const DAY_MS = 86_400_000;
const MONDAY = Date.parse('2026-03-02T09:00:00Z');

let clockMs = MONDAY;
let app: AppInProcess;
beforeAll(async () => {
  app = await startApp({ clock: () => clockMs });
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

const OLD_INSTRUCTIONS = 'You are the assistant of version one. Today is 2026-03-02.';
const NEW_INSTRUCTIONS = 'You are the assistant of version two.';

function restore(worker: SessionWorker, body: object = {}): Promise<RestoreBody> {
  return worker.ok('POST', worker.path('/restore'), body);
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** Recorded with the old instructions and the old date, as an agent sends them. */
async function recordedOnMonday(): Promise<SessionWorker> {
  clockMs = MONDAY;
  const worker = new SessionWorker(app.http);
  await worker.start({ tools: [{ name: 'look_up', effect: 'readOnly' }] });
  await worker.input('Which day is it?');
  await worker.claim();
  const request = { format: 'anthropic', instructions: OLD_INSTRUCTIONS, now: '2026-03-02' };
  const { contextId, inputRevision, delivers } = await worker.context(request);
  const start = { modelCallId: 'call-1', contextId, inputRevision, delivers };
  await worker.post('/model-calls', start);
  const asked = [{ id: 'toolu_1', name: 'look_up', input: { what: 'day' } }];
  const { calls } = await worker.settle('call-1', { response: anthropicAnswer('', asked) });
  await worker.permit(calls[0]!.callId);
  await worker.result(calls[0]!.callId, 'Monday');
  return worker;
}

describe('a session that was recorded on one day and is restored three days later', () => {
  it('has the new date once and the old instructions nowhere, in every format', async () => {
    const old = await recordedOnMonday();
    app = await app.restarted();
    clockMs = MONDAY + 3 * DAY_MS;
    const worker = new SessionWorker(app.http, old.sessionId, 'worker-2');
    for (const format of ['anthropic', 'openai-chat', 'neutral']) {
      const request = { format, instructions: NEW_INSTRUCTIONS, now: '2026-03-05' };
      const { context } = await restore(worker, request);
      const text = JSON.stringify([context.system, context.messages]);
      expect([format, occurrences(text, '2026-03-05')]).toEqual([format, 1]);
      expect(occurrences(text, '2026-03-02')).toBe(0);
      expect(occurrences(text, 'version one')).toBe(0);
      // The neutral form leaves the instructions to the caller, who has them.
      expect(occurrences(text, 'version two')).toBeLessThanOrEqual(1);
      expect(text).toContain('Monday');
    }
    expect(JSON.stringify(await worker.events())).not.toContain('version one');
  });

  it('differs from the input of the first day in its tail only', async () => {
    const worker = await recordedOnMonday();
    const request = { format: 'anthropic', instructions: NEW_INSTRUCTIONS };
    const monday = await worker.context({ ...request, now: '2026-03-02' });
    clockMs = MONDAY + 3 * DAY_MS;
    const thursday = await worker.context({ ...request, now: '2026-03-05' });
    const bare = await worker.context(request);
    const stable = JSON.stringify(bare.messages).slice(0, -3);
    for (const { messages, system } of [monday, thursday]) {
      expect(system).toBe(NEW_INSTRUCTIONS);
      expect(JSON.stringify(messages).startsWith(stable)).toBe(true);
    }
  });
});

describe('restore', () => {
  it('only looks, unless it is asked to claim', async () => {
    const worker = await recordedOnMonday();
    const before = await worker.events();
    expect(await restore(worker)).toMatchObject({
      sessionId: worker.sessionId,
      status: 'owned',
      standing: { stoppedBy: 'nothing', mayContinue: false, heldBy: 'worker-1' },
      attemptsLeft: 10,
      unresolved: [],
    });
    expect(await worker.events()).toEqual(before);
  });

  it('claims, settles and answers the next model input in one request', async () => {
    const old = await recordedOnMonday();
    const asked = [{ id: 'toolu_2', name: 'mail', input: {} }];
    const [call] = await old.turn(anthropicAnswer('', asked));
    await old.permit(call!.callId);
    const worker = new SessionWorker(app.http, old.sessionId, 'worker-2');
    const claim = { workerId: 'worker-2', claimToken: worker.owner.claimToken, force: true };
    const restored = await restore(worker, { ...claim, format: 'anthropic' });
    expect(restored).toMatchObject({
      claim: { reason: 'takeover', epoch: 2 },
      unresolved: [{ callId: call!.callId, state: 'awaitingHuman', unknownReason: 'ownerLost' }],
      attemptsLeft: 9,
    });
    expect(JSON.stringify(restored.context.messages)).toContain('may or may not have run');
    expect(restored.context.inputRevision).toBe(restored.revision);
    worker.owner = { claimToken: worker.owner.claimToken, epoch: 2 };
    await worker.turn(anthropicAnswer('I ask somebody.'));
  });

  it('answers a lost claim again, with the same epoch', async () => {
    const old = await recordedOnMonday();
    const claim = { workerId: 'worker-2', claimToken: 'the-token-of-worker-2', force: true };
    const first = await restore(old, claim);
    const again = await restore(old, claim);
    expect(again.claim).toEqual({ ...first.claim, replayed: true });
  });

  it('needs both a worker and its token to claim', async () => {
    const worker = await recordedOnMonday();
    const answer = await app.http.post(worker.path('/restore'), { workerId: 'worker-2' });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  it('shows a session as it was at every revision, and its context never fails', async () => {
    const worker = await recordedOnMonday();
    const { revision } = await worker.read();
    for (let at = 0; at <= revision; at += 1) {
      const read = await app.http.get(worker.path(`?at=${at}`));
      expect(read).toMatchObject({ status: 200, body: { revision: at } });
      for (const format of ['neutral', 'anthropic', 'openai-chat']) {
        const context = await app.http.get(worker.path(`/context?at=${at}&format=${format}`));
        expect([at, format, context.status]).toEqual([at, format, 200]);
      }
    }
    const ahead = await app.http.get(worker.path(`?at=${revision + 1}`));
    expect(ahead).toMatchObject({ status: 400, body: { code: 'invalid_request', revision } });
  });
});
