import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { AgentProcess } from '../support/agent-process.js';
import type { ContextBody, EventBody } from '../support/api-views.js';
import { TARGET_TOOLS } from '../support/fake-target.js';
import type { Acknowledged } from '../support/retrying-client.js';
import { anthropicAnswer } from '../support/provider-answers.js';
import { CrashWorld, crashRounds } from './crash-world.js';
import { InputProducers } from './input-producers.js';
import { checkCompaction, checkInputs, checkModelCall, checkTools } from './window-checks.js';

const ROUNDS = crashRounds(20);
jest.setTimeout(60_000 + ROUNDS * 60_000);

/** Who dies: the server, the agent, or both at once. */
const VICTIMS = ['server', 'agent', 'both'] as const;
type Victim = (typeof VICTIMS)[number];

/** Askers that wait when all windows are open: four tools, two model calls, one summary. */
const HELD_BACK = TARGET_TOOLS.length + 2 + 1;

const counts = { kills: 0, acknowledged: 0, lost: 0, doubled: 0, effects: 0, repeated: 0 };

let world: CrashWorld;
beforeAll(async () => {
  world = await CrashWorld.open();
});
afterAll(async () => {
  await world.close();
  process.stderr.write(`kill windows: ${JSON.stringify({ rounds: ROUNDS, ...counts })}\n`);
});

interface Sessions {
  readonly inputs: string;
  readonly tools: string;
  readonly model: string;
  readonly compaction: string;
  readonly stopped: string;
}

async function prepared(round: number): Promise<Sessions> {
  const named = (name: string) => `${name}-${round}`;
  const sessions = {
    inputs: named('inputs'),
    tools: named('tools'),
    model: named('model'),
    compaction: named('compaction'),
    stopped: named('stopped'),
  };
  for (const sessionId of Object.values(sessions)) {
    const worker = world.worker(sessionId);
    await worker.start({ tools: TARGET_TOOLS });
    await worker.input('Begin.', { inputId: 'begin' });
  }
  await conversationIn(sessions.compaction);
  const stopped = world.worker(sessions.stopped);
  await stopped.claim();
  await stopped.ok('POST', stopped.path(`/runs/${stopped.runId}/stop`), {});
  await stopped.post(`/runs/${stopped.runId}/stopped`, {});
  return sessions;
}

/** Long enough to be worth a summary, in one append, and at rest. */
async function conversationIn(sessionId: string): Promise<void> {
  const worker = world.worker(sessionId);
  await worker.claim();
  const steps = Array.from({ length: 5 }, (_, turn) => [
    { type: 'acceptInput', inputId: `question-${turn}`, content: `Question. ${'x'.repeat(900)}` },
    { type: 'startModelCall', modelCallId: `call-${turn}`, delivers: [`question-${turn}`] },
    {
      type: 'settleModelCall',
      modelCallId: `call-${turn}`,
      response: anthropicAnswer(`Answer. ${'y'.repeat(900)}`),
    },
  ]);
  await worker.post('/record', { steps: steps.flat() });
  await worker.post(`/runs/${worker.runId}/interrupt`, {});
}

async function kill(victim: Victim, agent: AgentProcess): Promise<void> {
  counts.kills += 1;
  await Promise.all([
    victim === 'agent' ? undefined : world.server.end('SIGKILL'),
    victim === 'server' ? undefined : agent.end('SIGKILL'),
  ]);
}

function inputOf(sessionId: string): Promise<ContextBody> {
  return world.worker(sessionId).context({ format: 'anthropic' });
}

describe('a kill with all windows open at once', () => {
  it.each(Array.from({ length: ROUNDS }, (_, round) => [round, VICTIMS[round % 3]!] as const))(
    'loses nothing and doubles nothing: round %i, %s',
    async (round, victim) => {
      const sessions = await prepared(round);
      const { inputs, tools, model, compaction, stopped } = sessions;
      const working = [inputs, tools, model, compaction];
      world.target.holdBack();
      const agent = world.startAgent(working);
      await world.target.held(HELD_BACK);
      const compactionInput = await inputOf(compaction);
      const stoppedEvents = await world.worker(stopped).events();
      const producers = new InputProducers(world.worker(inputs).path('/inputs'));
      const sending = producers.send(world.server.http);
      await producers.atLeast(1 + (round % 8));

      await kill(victim, agent);
      await sending;
      world.target.answer();
      if (victim !== 'agent') await world.restartServer();
      const promised = [...producers.acknowledged, ...agent.acknowledged()];
      await checkPromises(working, promised);
      expect((await inputOf(compaction)).messages).toEqual(compactionInput.messages);
      await producers.send(world.server.http);

      const next = victim === 'server' ? agent : world.startAgent(working);
      await next.done();
      const lostOwner = victim !== 'server';
      await checkInputs(await eventsOf(inputs), lostOwner);
      await checkModelCall(await eventsOf(model), lostOwner);
      await checkCompaction(world.worker(compaction), lostOwner);
      counts.effects += await checkTools(world, tools, next, lostOwner);
      await checkStillStopped(stopped, stoppedEvents);
      await checkPromises(working, [...promised, ...next.acknowledged()]);
    },
  );
});

function eventsOf(sessionId: string): Promise<readonly EventBody[]> {
  return world.worker(sessionId).events();
}

async function checkPromises(
  sessionIds: readonly string[],
  promised: readonly Acknowledged[],
): Promise<void> {
  for (const sessionId of sessionIds) {
    const lost = await world.lostOf(sessionId, promised);
    counts.lost += lost.length;
    expect(lost).toEqual([]);
    const ids = (await eventsOf(sessionId)).map(({ eventId }) => eventId);
    counts.doubled += ids.length - new Set(ids).size;
    expect(new Set(ids).size).toBe(ids.length);
  }
  expect(await world.differentWhenRepeated(promised)).toEqual([]);
  counts.acknowledged = Math.max(counts.acknowledged, 0) + promised.length;
  counts.repeated += promised.length;
}

async function checkStillStopped(sessionId: string, before: readonly EventBody[]): Promise<void> {
  const worker = world.worker(sessionId);
  const claim = { workerId: 'other', claimToken: worker.owner.claimToken, force: true };
  const refused = await world.server.http.post(worker.path('/runs'), claim);
  expect(refused).toMatchObject({ status: 409, body: { code: 'session_stopped' } });
  expect((await worker.read()).standing).toMatchObject({ stoppedBy: 'user', mayContinue: false });
  expect(await worker.events()).toEqual(before);
}
