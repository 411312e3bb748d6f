// An agent loop that records itself, with nothing but fetch. Start a server, then:
//   HOLDFAST_API_KEY=$(npx holdfast key) node examples/minimal-agent.mjs
import { randomUUID } from 'node:crypto';

const url = process.env.HOLDFAST_URL ?? 'http://127.0.0.1:4680';
const key = process.env.HOLDFAST_API_KEY;
if (!key) stop('set HOLDFAST_API_KEY: HOLDFAST_API_KEY=$(npx holdfast key)');
const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
const post = async (path, body) => {
  const request = { method: 'POST', headers, body: JSON.stringify(body) };
  const answer = await fetch(`${url}/v1/sessions${path}`, request).catch(({ cause }) =>
    stop(`no server answers at ${url} (${cause?.code ?? cause}): start it with npm start`),
  );
  if (answer.ok) return answer.json();
  const { code, detail } = await answer.json();
  return stop(`/v1/sessions${path}: ${answer.status} ${code}: ${detail}`);
};
function stop(reason) {
  console.error(reason);
  process.exit(1);
}

// Your model and your tools: the model here is a script, so that this runs without a key.
const callModel = async ({ messages }) =>
  messages.some((message) => message.role === 'tool')
    ? {
        choices: [{ message: { role: 'assistant', content: 'It is 21 degrees in Bern.' } }],
        model: 'gpt-4o',
        usage: { prompt_tokens: 90, completion_tokens: 8 },
      }
    : {
        choices: [
          {
            message: {
              role: 'assistant',
              content: null,
              tool_calls: [
                {
                  id: 'c1',
                  type: 'function',
                  function: { name: 'get_weather', arguments: '{"city":"Bern"}' },
                },
              ],
            },
          },
        ],
        model: 'gpt-4o',
        usage: { prompt_tokens: 60, completion_tokens: 12 },
      };
const tools = { get_weather: async () => '21 degrees' };

// The loop.
const { sessionId } = await post('', {
  title: 'Weather',
  tools: [{ name: 'get_weather', effect: 'readOnly' }],
});
await post(`/${sessionId}/inputs`, { content: 'How warm is it in Bern?' });
const claimToken = randomUUID();
const { runId, epoch } = await post(`/${sessionId}/runs`, { workerId: 'minimal', claimToken });
const owner = { epoch, claimToken };
for (let open = true; open;) {
  const context = await post(`/${sessionId}/context`, {
    format: 'openai-chat',
    instructions: 'Be brief.',
  });
  const { contextId, inputRevision, delivers } = context;
  const call = await post(`/${sessionId}/model-calls`, {
    ...owner,
    provider: 'openai',
    model: 'gpt-4o',
    contextId,
    inputRevision,
    delivers,
  });
  const response = await callModel(context);
  const { calls } = await post(`/${sessionId}/model-calls/${call.modelCallId}/settle`, {
    ...owner,
    response,
  });
  for (const { callId, tool } of calls) {
    await post(`/${sessionId}/tool-calls/${callId}/start`, owner);
    const content = await tools[tool]();
    await post(`/${sessionId}/tool-calls/${callId}/result`, { ...owner, content });
  }
  open = calls.length > 0;
}
await post(`/${sessionId}/runs/${runId}/complete`, owner);
console.log(`Recorded. See: npx holdfast context ${sessionId}`);
