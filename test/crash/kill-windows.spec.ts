import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { AgentProcess } from '../support/agent-process.js';
import type { ContextBody, EventBody } from '../support/api-views.js';
import { TARGET_TOOLS } from '../support/fake-target.js';
import type { Acknowledged } from '../support/retrying-client.js';
import { anthropicAnswer } from '../support/provider-answers.js';
import { crashKills, crashTimeoutMs, CrashWorld } from './crash-world.js';
import { InputProducers } from './input-producers.js';
import {
  type ClassCount,
  checkCompaction,
  checkInputs,
  checkModelCall,
  checkTools,
} from './window-checks.js';

/** So many sessions are in each window when a kill comes: all four are open at once. */
const SESSIONS_PER_WINDOW = 2;
/** In one round of three it is only the agent that dies. */
const ROUNDS = Math.ceil(crashKills(4) * 1.5);
jest.setTimeout(crashTimeoutMs());

/** Who dies: the server, the agent, or both at once. */
const VICTIMS = ['server', 'agent', 'both'] as const;
type Victim = (typeof VICTIMS)[number];

/** Askers that wait when all windows are open: four tools, two model calls, one summary. */
const HELD_BACK = (TARGET_TOOLS.length + 2 + 1) * SESSIONS_PER_WINDOW;

const counts = {
  serversKilled: 0,
  agentsKilled: 0,
  sessionsInEachWindow: 0,
  acknowledged: 0,
  lost: 0,
  doubled: 0,
  repeated: 0,
  stoppedSessions: 0,
  stoppedSessionsRestarted: 0,
};
const effects = new Map<string, ClassCount>();

let world: CrashWorld;
beforeAll(async () => {
  world = await CrashWorld.open();
});
afterAll(async () => {
  await world.close();
  process.stderr.write(`kill windows: ${JSON.stringify(counts)}\n`);
  for (const [effect, count] of effects) {
    process.stderr.write(`kill windows, ${effect}: ${JSON.stringify(count)}\n`);
  }
});

interface Sessions {
  readonly inputs: string;
  readonly tools: string;
  readonly model: string;
  readonly compaction: string;
  readonly stopped: string;
}

async function prepared(name: string): Promise<Sessions> {
  const named = (window: string) => `${window}-${name}`;
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
  // On a slow machine its lease may have run out: then the server has settled the stop already.
  await stopped.post(`/runs/${stopped.runId}/stopped`, {}).catch((error: unknown) => {
    if (!String(error).includes('run_ended')) throw error;
  });
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
  if (victim !== 'agent') counts.serversKilled += 1;
  if (victim !== 'server') counts.agentsKilled += 1;
  counts.sessionsInEachWindow += SESSIONS_PER_WINDOW;
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
    'fc-10.2, fc-10.4, fc-21.1: loses nothing and doubles nothing: round %i, %s',
    async (round, victim) => {
      const sets = await Promise.all(
        Array.from({ length: SESSIONS_PER_WINDOW }, (_, set) => prepared(`${round}-${set}`)),
      );
      const working = sets.flatMap((set) => [set.inputs, set.tools, set.model, set.compaction]);
      world.target.holdBack();
      const agent = world.startAgent(working);
      await world.target.held(HELD_BACK);
      const before = await Promise.all(sets.map(seenBefore));
      const producers = sets.map(
        (set) => new InputProducers(world.worker(set.inputs).path('/inputs')),
      );
      const sending = producers.map((producer) => producer.send(world.server.http));
      await Promise.all(producers.map((producer) => producer.atLeast(1 + (round % 8))));

      await kill(victim, agent);
      await Promise.all(sending);
      world.target.answer();
      if (victim !== 'agent') await world.restartServer();
      const accepted = producers.flatMap(({ acknowledged }) => acknowledged);
      await checkPromises(working, [...accepted, ...agent.acknowledged()]);
      for (const { compaction, input } of victim === 'server' ? [] : before) {
        expect((await inputOf(compaction)).messages).toEqual(input);
      }
      await Promise.all(producers.map((producer) => producer.send(world.server.http)));

      const next = victim === 'server' ? agent : world.startAgent(working);
      await next.done();
      for (const set of sets) await checkWindows(set, next, victim !== 'server');
      for (const { stopped, events } of before) await checkStillStopped(stopped, events);
      const all = new Set([...accepted, ...agent.acknowledged(), ...next.acknowledged()]);
      await checkPromises(working, [...all]);
      counts.acknowledged += all.size;
    },
  );
});

async function seenBefore({ compaction, stopped }: Sessions) {
  const { messages } = await inputOf(compaction);
  return { compaction, input: messages, stopped, events: await eventsOf(stopped) };
}

async function checkWindows(set: Sessions, agent: AgentProcess, lostOwner: boolean): Promise<void> {
  await checkInputs(await eventsOf(set.inputs), lostOwner);
  await checkModelCall(await eventsOf(set.model), lostOwner);
  await checkCompaction(world.worker(set.compaction), lostOwner);
  await checkTools(world, set.tools, agent, lostOwner, effects);
}

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
  counts.repeated += promised.length;
}

async function checkStillStopped(sessionId: string, before: readonly EventBody[]): Promise<void> {
  const worker = world.worker(sessionId);
  const claim = { workerId: 'other', claimToken: worker.owner.claimToken, force: true };
  const refused = await world.server.http.post(worker.path('/runs'), claim);
  counts.stoppedSessions += 1;
  if (refused.status !== 409) counts.stoppedSessionsRestarted += 1;
  expect(refused).toMatchObject({ status: 409, body: { code: 'session_stopped' } });
  expect((await worker.read()).standing).toMatchObject({ stoppedBy: 'user', mayContinue: false });
  expect(await worker.events()).toEqual(before);
}
