// A worker: takes sessions that have work and moves each until it rests. Nothing but fetch.
//   HOLDFAST_API_KEY=$(npx holdfast key) node examples/worker.mjs --model scripted   (SHOP_URL: to charge)
//   OPENAI_API_KEY=… node examples/worker.mjs --model gpt-4o-mini --base-url https://api.openai.com/v1
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { scripted } from './scripted-model.mjs';

const args = parseArgs({ options: { model: { type: 'string' }, 'base-url': { type: 'string' } } });
const { model, 'base-url': baseUrl } = args.values;
const { HOLDFAST_API_KEY: key, HOLDFAST_URL, SHOP_URL } = process.env;
const url = HOLDFAST_URL ?? 'http://127.0.0.1:4680';
const json = { 'Content-Type': 'application/json' };
const headersWith = (bearer) => ({ Authorization: `Bearer ${bearer}`, ...json });
const timeoutMs = 60_000;
const endWith = (code, message) => (console.error(message), process.exit(code));
if (!model || (model !== 'scripted' && !baseUrl)) endWith(2, 'which --model, and --base-url?');
if (!key) endWith(2, 'set HOLDFAST_API_KEY; `npx holdfast key` prints one');
const closing = new AbortController();
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => closing.abort());
process.once('uncaughtException', ({ message }) => endWith(1, message));

// Your tools, and what a repetition of each would do. One that cannot know what happened throws.
const header = 'Idempotency-Key';
const keyed = { effect: 'keyedWrite', keyWindowMs: 86_400_000, keyField: { header } };
const charge = async (args, { opKey, signal }) => {
  const request = { method: 'POST', headers: { [header]: opKey }, signal };
  const answer = await fetch(`${SHOP_URL}/charges`, { ...request, body: JSON.stringify(args) });
  return answer.status < 500 ? answer.text() : Promise.reject(new Error('it may have happened'));
};
const tools = {
  get_weather: { effect: 'readOnly', run: async () => '21 degrees' },
  ...(SHOP_URL && { charge: { ...keyed, run: charge } }),
};

/** Every request may be repeated: ids are made here. A refusal is thrown with its `code`. */
async function send(path, body, method = 'POST', signal) {
  const request = { method, headers: headersWith(key), body: body && JSON.stringify(body), signal };
  for (let tries = 1; !signal?.aborted && (tries < 6 || !closing.signal.aborted); tries += 1) {
    const answer = await fetch(`${url}/v1/${path}`, request).catch(() => undefined);
    if (answer?.status === 204) return undefined;
    const said = await answer?.json().catch(() => undefined);
    if (said && answer.ok) return said;
    if (said && answer.status < 500) throw Object.assign(new Error(said.detail), said);
    if (tries === 3) console.error(`no answer from ${url}; trying again`);
    await pause(Math.min(50 * 2 ** tries, 5_000));
  }
}

async function askModel(messages) {
  if (model === 'scripted') return scripted(messages);
  const functions = Object.keys(tools).map((name) => ({ type: 'function', function: { name } }));
  const body = JSON.stringify({ model, messages, tools: functions });
  const headers = headersWith(process.env.OPENAI_API_KEY);
  const request = { method: 'POST', headers, body, signal: AbortSignal.timeout(timeoutMs) };
  const answer = await fetch(`${baseUrl}/chat/completions`, request);
  if (!answer.ok) throw new Error(`the model answered ${answer.status}`);
  return answer.json();
}

/** Moves one claimed run until it has ended, must wait, or is somebody else's. */
async function move({ sessionId, runId, kind, epoch, leaseTtlMs, unresolved }, claimToken) {
  const session = `sessions/${sessionId}`;
  const post = (path, body) => send(session + path, { epoch, claimToken, ...body });
  const end = (how, body) => post(`/runs/${runId}/${how}`, body).catch(() => undefined);
  const stop = new AbortController();
  let renewedAtMs = performance.now();
  const beat = async () => {
    const kept = await post(`/runs/${runId}/heartbeat`).catch(() => undefined);
    if (kept) renewedAtMs = performance.now();
    if (kept?.stopRequested) stop.abort();
  };
  const beating = setInterval(() => void beat(), leaseTtlMs / 3);
  function mayGoOn() {
    const isMine = performance.now() - renewedAtMs < (2 / 3) * leaseTtlMs;
    if (isMine && !closing.signal.aborted && !stop.signal.aborted) return;
    throw Object.assign(new Error('not to go on'), { code: 'over' });
  }

  /** The permit, the call, its answer. What is not certain is unknown, and never a failure. */
  async function dispatch({ callId, tool, nextAttempt: attempt = 1 }) {
    mayGoOn();
    const path = `/tool-calls/${callId}`;
    if (!Object.hasOwn(tools, tool)) return post(`${path}/skip`, { reason: 'requested' });
    const { events } = await send(session + path, undefined, 'GET');
    const { args = {} } = events[0].data;
    const asked = [performance.now(), Date.now()];
    const { opKey, startedAt, dispatchBy } = await post(`${path}/start`, { attempt });
    // A machine that slept wakes up here, and one of its clocks shows it: then nothing is sent.
    const goneMs = Math.max(performance.now() - asked[0], Date.now() - asked[1]);
    let result = { attempt, status: 'noEffect', scope: 'attempt', content: 'It was not sent.' };
    try {
      const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(timeoutMs)]);
      const isInTime = goneMs <= Date.parse(dispatchBy) - Date.parse(startedAt);
      if (isInTime) result = { attempt, content: await tools[tool].run(args, { opKey, signal }) };
    } catch {
      const reason = stop.signal.aborted ? 'stoppedInFlight' : 'transport';
      return post(`${path}/unknown`, { attempt, reason });
    }
    // Whoever owns the session by now, an answer is not lost.
    const late = () => send(`${session}${path}/late-result`, { ...result, claimedEpoch: epoch });
    return post(`${path}/result`, result).catch(late);
  }

  async function turn() {
    mayGoOn();
    const wish = { format: 'openai-chat', instructions: 'Be brief.' };
    const context = await send(`${session}/context`, wish);
    const { contextId, inputRevision, delivers } = context;
    const call = { modelCallId: randomUUID(), provider: 'openai', model };
    await post('/model-calls', { ...call, contextId, inputRevision, delivers });
    const failed = ({ message }) => ({ outcome: 'providerError', error: message });
    const settled = await askModel(context.messages).then((response) => ({ response }), failed);
    const { calls } = await post(`/model-calls/${call.modelCallId}/settle`, settled);
    if (settled.error) throw new Error(settled.error);
    return calls.filter(({ state }) => state === 'requested');
  }

  try {
    for (const call of unresolved.filter(({ nextAttempt }) => nextAttempt)) await dispatch(call);
    for (let calls = kind === 'agent' ? await turn() : []; calls.length > 0; calls = await turn()) {
      const ends = await Promise.allSettled(calls.map(dispatch));
      for (const { reason } of ends) if (reason) throw reason;
    }
    await post(`/runs/${runId}/complete`);
    console.log(`${sessionId}: done`);
  } catch (error) {
    console.error(`${sessionId}: ${error.message}`);
    const waits = ['open_calls', 'waiting_calls', 'approval_pending'].includes(error.code);
    if (stop.signal.aborted) await end('stopped');
    else if (closing.signal.aborted) await end('interrupt');
    else if (waits) await end('release', { reason: 'waiting' });
    else if (!error.code) await end('fail', { errorClass: 'worker', message: error.message });
  } finally {
    clearInterval(beating);
  }
}

const manifestOf = ([name, { run: _run, ...promise }]) => ({ name, timeoutMs, ...promise });
await send('tools', { tools: Object.entries(tools).map(manifestOf) }).catch((refusal) => {
  if (refusal.code !== 'forbidden') throw refusal;
  console.error(`tools are not registered (${refusal.message}): no write of theirs is repeated`);
});
console.log(`waiting for work at ${url}`);
while (!closing.signal.aborted) {
  const wish = { workerId: `worker-${process.pid}`, claimToken: randomUUID(), waitMs: 5_000 };
  const claim = await send('work/claim', wish, 'POST', closing.signal);
  if (claim) await move(claim, wish.claimToken);
}
