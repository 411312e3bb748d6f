import { afterAll, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { expectProblem } from '../support/expect-problem.js';
import { anthropicAnswer } from '../support/provider-answers.js';
import { SessionWorker } from '../support/session-worker.js';

jest.setTimeout(120_000);

const CUSTOMER = 'CUST-123456';
const MASK = '[redacted:customer:1]';
const LARGE_CHARACTERS = 300_000;
/** Begins with plain text, so that a long text is searched in no time. */
const patterns = [{ name: 'customer', pattern: 'CUST-[0-9]{6}' }];

let app: AppInProcess;
let worker: SessionWorker;
beforeAll(async () => {
  app = await startApp();
  const lookUp = { name: 'look_up', effect: 'readOnly', redact: patterns };
  const order = { name: 'order', effect: 'opaqueWrite', redact: patterns };
  await app.http.post('/v1/tools', { tools: [lookUp, order] });
});
beforeEach(async () => {
  worker = new SessionWorker(app.http);
  await worker.start();
  await worker.input(`Look up ${CUSTOMER}.`);
  await worker.claim();
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

async function called(name: string): Promise<string> {
  const asked = [{ id: 'toolu_1', name, input: { customer: CUSTOMER } }];
  const [call] = await worker.turn(anthropicAnswer('', asked));
  await worker.permit(call!.callId);
  return call!.callId;
}

async function eventsOf(callId: string): Promise<string> {
  const events = await worker.events();
  return JSON.stringify(events.filter(({ data }) => data.callId === callId));
}

it('masks what the tool’s manifest names in its arguments and answers, and nowhere else', async () => {
  const registered = await app.http.get('/v1/tools/look_up');
  expect(registered).toMatchObject({ status: 200, body: { tools: [{ redact: patterns }] } });
  const callId = await called('look_up');
  await worker.post(`/tool-calls/${callId}/progress`, { attempt: 1, note: `found ${CUSTOMER}` });
  const stored = await worker.result(callId, `${CUSTOMER} has 3 orders`);
  expect(stored).toMatchObject({ redactions: 1 });
  const events = await eventsOf(callId);
  expect(events).not.toContain(CUSTOMER);
  expect(events.split(MASK)).toHaveLength(4);
  const other = await called('write_down');
  await worker.result(other, `${CUSTOMER} is written down`);
  expect(await eventsOf(other)).toContain(`${CUSTOMER} is written down`);
  const { messages } = await worker.context();
  expect(JSON.stringify(messages)).toContain(`Look up ${CUSTOMER}.`);
  expect(JSON.stringify(messages)).toContain(`${MASK} has 3 orders`);
});

it('also in what is too large for an event, and in what comes late for a call at rest', async () => {
  const callId = await called('look_up');
  await worker.result(callId, `${'long '.repeat(LARGE_CHARACTERS / 5)}${CUSTOMER}`);
  const large = (await worker.events()).find(
    ({ type, data }) => type === 'ToolResultRecorded' && data.callId === callId,
  );
  const { hash } = (large!.data.result as { artifact: { hash: string } }).artifact;
  const kept = await app.http.get(worker.path(`/artifacts/${hash}`));
  expect(kept.text.slice(-200)).toContain(MASK);
  expect(kept.text).not.toContain(CUSTOMER);
  await called('write_down');
  const late = { attempt: 2, claimedEpoch: 1, status: 'completed', content: `late: ${CUSTOMER}` };
  const reported = await app.http.post(worker.path(`/tool-calls/${callId}/late-result`), late);
  expect(reported.status).toBeLessThan(300);
  expect(await eventsOf(callId)).toContain(`late: ${MASK}`);
});

it('also in the evidence of what is found out about an unknown outcome', async () => {
  const callId = await called('order');
  await worker.post(`/tool-calls/${callId}/unknown`, {});
  const at = new Date().toISOString();
  const probed = await app.http.post(worker.path(`/tool-calls/${callId}/probes`), {
    requestedAt: at,
    answer: 'found',
    evidence: {
      method: 'GET',
      target: `/orders/${CUSTOMER}`,
      excerpt: `3 orders of ${CUSTOMER}`,
      observedAt: at,
    },
  });
  expect(probed.status).toBeLessThan(300);
  const events = await eventsOf(callId);
  expect(events).toContain(`3 orders of ${MASK}`);
  expect(events).not.toContain(CUSTOMER);
});

it('refuses a pattern that cannot be searched in linear time, and one name for two', async () => {
  const withPatterns = (redact: readonly object[]) =>
    app.http.post('/v1/tools', { tools: [{ name: 'other', redact }] });
  const backwards = await withPatterns([{ name: 'twice', pattern: '(a)\\1' }]);
  expect(expectProblem(backwards, 400, 'invalid_request').detail).toContain('pattern');
  const twice = await withPatterns([...patterns, ...patterns]);
  expect(expectProblem(twice, 422, 'invalid_manifest').detail).toContain('customer twice');
});
