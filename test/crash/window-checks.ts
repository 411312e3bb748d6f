import { expect } from '@jest/globals';
import type { AgentProcess } from '../support/agent-process.js';
import type { CallBody, EventBody } from '../support/api-views.js';
import { WRITING_TOOLS } from '../support/fake-target.js';
import type { SessionWorker } from '../support/session-worker.js';
import type { CrashWorld } from './crash-world.js';
import { InputProducers, PRODUCERS } from './input-producers.js';

/** What each window must look like when everybody is done. `lostOwner`: the agent was killed. */

function dataOf(events: readonly EventBody[], type: string): readonly EventBody['data'][] {
  return events.filter((event) => event.type === type).map(({ data }) => data);
}

/** Every input was accepted once, delivered once, and in the order in which it was sent. */
export async function checkInputs(events: readonly EventBody[], lostOwner: boolean): Promise<void> {
  const accepted = dataOf(events, 'InputAccepted').map(({ inputId }) => String(inputId));
  for (const producer of PRODUCERS) {
    const own = accepted.filter((id) => id.startsWith(producer));
    expect(own).toEqual(InputProducers.idsOf(producer));
  }
  const delivered = dataOf(events, 'InputDelivered').map(({ inputId }) => inputId);
  expect(delivered).toEqual(accepted.slice(0, delivered.length));
  await checkModelCall(events, lostOwner);
}

/** A call that was cut off is booked as interrupted, of unknown usage, and made anew. */
export async function checkModelCall(
  events: readonly EventBody[],
  lostOwner: boolean,
): Promise<void> {
  const outcomes = dataOf(events, 'ModelCallSettled').map(({ outcome }) => outcome);
  expect(outcomes[0]).toBe(lostOwner ? 'interrupted' : 'completed');
  expect(new Set(outcomes.slice(1))).toEqual(new Set(outcomes.length > 1 ? ['completed'] : []));
  const started = dataOf(events, 'ModelCallStarted').map(({ modelCallId }) => modelCallId);
  const settled = dataOf(events, 'ModelCallSettled').map(({ modelCallId }) => modelCallId);
  expect(settled).toEqual(started);
  expect(dataOf(events, 'RunCompleted')).toHaveLength(1);
  expect(dataOf(events, 'RecoveryAttempted')).toHaveLength(lostOwner ? 1 : 0);
}

/** A compaction that was cut off had no effect; the next one is a whole one. */
export async function checkCompaction(worker: SessionWorker, lostOwner: boolean): Promise<void> {
  const events = await worker.events();
  const failed = dataOf(events, 'CompactionFailed').map(({ reason }) => reason);
  expect(failed).toEqual(lostOwner ? ['interrupted'] : []);
  expect(dataOf(events, 'Compacted')).toHaveLength(1);
  const text = JSON.stringify((await worker.context()).messages);
  expect(text.split('They talked about many things.')).toHaveLength(2);
}

/** What the target has counted of one class of tools, and how its calls stand. */
export interface ClassCount {
  readonly calls: number;
  readonly effects: number;
  readonly effectsOfOneMax: number;
  readonly recorded: number;
  readonly foundByProbe: number;
  readonly unknown: number;
}

/**
 * Nothing was done twice, whatever the target allows; what nobody could find out is shown as
 * unknown, and nothing as failed. Adds up what the target has counted, by effect class.
 */
export async function checkTools(
  world: CrashWorld,
  sessionId: string,
  agent: AgentProcess,
  lostOwner: boolean,
  counts: Map<string, ClassCount>,
): Promise<void> {
  const { target } = world;
  const worker = world.worker(sessionId);
  const calls = await callsOf(worker);
  const seen = Object.fromEntries(
    calls.map(({ tool, state, attempts }) => [tool, [state, attempts]]),
  );
  expect(seen).toEqual(
    lostOwner
      ? {
          look_up: ['completed', 2],
          pay: ['completed', 2],
          order: ['applied', 1],
          mail: ['awaitingHuman', 1],
        }
      : {
          look_up: ['completed', 1],
          pay: ['completed', 1],
          order: ['completed', 1],
          mail: ['completed', 1],
        },
  );
  if (lostOwner) {
    const found = agent.lines.flatMap((line) =>
      'found' in line ? [[line.found, line.state]] : [],
    );
    expect(Object.fromEntries(found)).toEqual({
      look_up: 'retryAuthorized',
      pay: 'retryAuthorized',
      order: 'unknown',
      mail: 'awaitingHuman',
    });
  }
  const writes = calls.filter(({ tool }) => (WRITING_TOOLS as readonly string[]).includes(tool));
  for (const call of writes) {
    const { tool, opKey, attempts } = call;
    count(call, target.effectsOf(opKey), counts);
    expect([tool, target.effectsOf(opKey), target.effectsInFile(opKey)]).toEqual([tool, 1, 1]);
    expect([tool, target.requestsOf(opKey)]).toEqual([tool, attempts]);
  }
}

function count(call: CallBody, effects: number, counts: Map<string, ClassCount>): void {
  const before = counts.get(call.effect) ?? NOTHING_COUNTED;
  counts.set(call.effect, {
    calls: before.calls + 1,
    effects: before.effects + effects,
    effectsOfOneMax: Math.max(before.effectsOfOneMax, effects),
    recorded: before.recorded + (call.state === 'completed' ? 1 : 0),
    foundByProbe: before.foundByProbe + (call.state === 'applied' ? 1 : 0),
    unknown: before.unknown + (call.state === 'awaitingHuman' ? 1 : 0),
  });
}

const NOTHING_COUNTED: ClassCount = {
  calls: 0,
  effects: 0,
  effectsOfOneMax: 0,
  recorded: 0,
  foundByProbe: 0,
  unknown: 0,
};

async function callsOf(worker: SessionWorker): Promise<readonly CallBody[]> {
  const requested = dataOf(await worker.events(), 'ToolCallRequested');
  return Promise.all(
    requested.map(async ({ callId }) => {
      const path = worker.path(`/tool-calls/${String(callId)}`);
      return (await worker.ok<{ call: CallBody }>('GET', path)).call;
    }),
  );
}
