// Records a session with a retry, a subagent and a fork, to see costs by. Start a server, then:
//   HOLDFAST_API_KEY=$(npx holdfast key) node examples/cost-tree.mjs
import { randomUUID } from 'node:crypto';

const url = process.env.HOLDFAST_URL ?? 'http://127.0.0.1:4680';
const headers = {
  Authorization: `Bearer ${process.env.HOLDFAST_API_KEY}`,
  'Content-Type': 'application/json',
};
const post = async (path, body) => {
  const answer = await fetch(`${url}/v1/sessions${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(JSON.stringify(await answer.json()));
  return answer.json();
};

/** What a provider would answer: the cost comes from `usage`. */
const responseOf = (model) => ({
  id: `msg_${randomUUID()}`,
  type: 'message',
  role: 'assistant',
  model,
  content: [{ type: 'text', text: 'Done.' }],
  usage: { input_tokens: 1_000, output_tokens: 100 },
});

async function claim(sessionId, runId, force = false) {
  const claimToken = randomUUID();
  const body = { workerId: 'example', claimToken, runId, force };
  const { epoch } = await post(`/${sessionId}/runs`, body);
  return { epoch, claimToken };
}

async function callModel(sessionId, owner, model) {
  const started = { ...owner, provider: 'anthropic', model };
  const { modelCallId } = await post(`/${sessionId}/model-calls`, started);
  const settled = { ...owner, response: responseOf(model) };
  await post(`/${sessionId}/model-calls/${modelCallId}/settle`, settled);
}

await post('', { sessionId: 'trip', labels: { project: 'apollo' } });
await post('/trip/inputs', { content: 'Plan a trip to Bern.' });
await callModel('trip', await claim('trip', 'run-plan'), 'claude-sonnet-4-5');
// The worker was lost: another one takes the run over and asks the model once more.
const owner = await claim('trip', 'run-plan', true);
await callModel('trip', owner, 'claude-sonnet-4-5');

const parent = { sessionId: 'trip', edge: 'subagent' };
await post('', { sessionId: 'trip-hotels', parent, labels: { project: 'apollo' } });
await post('/trip-hotels/inputs', { content: 'Find hotels.' });
await callModel('trip-hotels', await claim('trip-hotels', 'run-hotels'), 'claude-haiku-4-5');
await post('/trip/forks', { forkId: 'trip-again' });
