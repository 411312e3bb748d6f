import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  assistantMessage,
  childStarted,
  forked,
  inputAccepted,
  inputDelivered,
  runClaimed,
  sessionStarted,
  settled,
  toolRequested,
  toolResult,
  toolStarted,
  toolUnknown,
} from '../../../test/projections/session-events.js';
import { ProjectionWorld, TENANT } from '../../../test/projections/projection-world.js';
import type { SessionEvent } from '../../domain/events.js';
import { fold } from '../../domain/evolve.js';
import { callsOf, initialState, isUnresolved, statusOf } from '../../domain/state.js';
import {
  GetSession,
  GetSessionHandler,
  ListSessions,
  ListSessionsHandler,
  type SessionFilter,
  type SessionListPage,
} from './sessions.query.js';
import { sessionsProjection } from './sessions-projection.js';

let world: ProjectionWorld;

beforeEach(() => {
  world = new ProjectionWorld();
});

async function session(sessionId: string, tenantId = TENANT) {
  await world.catchUp(sessionsProjection);
  const handler = new GetSessionHandler(
    world.queries([sessionsProjection]),
    world.invalidStreams(),
  );
  return (await handler.execute(new GetSession(tenantId, sessionId))).session;
}

async function list(filter: SessionFilter = {}, page: SessionListPage = {}, tenantId = TENANT) {
  await world.catchUp(sessionsProjection);
  const handler = new ListSessionsHandler(
    world.queries([sessionsProjection]),
    world.invalidStreams(),
  );
  return handler.execute(new ListSessions(tenantId, filter, page));
}

async function ids(filter: SessionFilter = {}, tenantId = TENANT): Promise<string[]> {
  const { sessions } = await list(filter, {}, tenantId);
  return sessions.map(({ sessionId }) => sessionId);
}

describe('a session in the list', () => {
  it('says who holds it, what waits, what is unknown, and keeps the claim a secret', async () => {
    await world.append('s1', [
      sessionStarted('s1', {
        parent: { sessionId: 'p1', edge: 'subagent' },
        labels: { team: 'blue' },
      }),
      inputAccepted('i1', '  Fix the\n  login page, please  '),
      inputAccepted('i2', 'and the footer'),
      runClaimed(),
      inputDelivered('i1'),
      assistantMessage('m1', 'I will'),
      toolRequested('c1'),
      toolStarted('c1'),
      toolUnknown('c1'),
      toolRequested('c2'),
    ]);
    const found = await session('s1');
    expect(found).toEqual({
      tenantId: 'acme',
      sessionId: 's1',
      redactions: {},
      title: 'Fix the login page, please',
      status: 'owned',
      parentId: 'p1',
      edge: 'subagent',
      ancestors: ['p1'],
      labels: { team: 'blue' },
      profile: { name: 'coder', version: '1', model: 'claude-sonnet-4-5' },
      imported: false,
      counters: { inputs: 2, assistantMessages: 1, modelCalls: 0, toolCalls: 2, compactions: 0 },
      pendingInputs: 1,
      unresolvedCalls: 2,
      unknownCalls: 1,
      heldBy: { workerId: 'worker-7', epoch: 1 },
      createdAt: '2026-01-01T00:00:01.000Z',
      updatedAt: '2026-01-01T00:00:10.000Z',
      revision: 9,
      position: '10',
    });
    expect(JSON.stringify(await world.documents(sessionsProjection))).not.toContain('secret-hash');
  });

  it('keeps the title that it was given', async () => {
    await world.append('s1', [
      sessionStarted('s1', { title: 'Release 2' }),
      inputAccepted('i1', 'hello'),
    ]);
    expect((await session('s1'))?.title).toBe('Release 2');
    await world.append('f1', [forked('f1', 's1', { title: 'Release 2' })]);
    expect(await session('f1')).toMatchObject({ title: 'Release 2', parentId: 's1', edge: 'fork' });
  });

  it('says where an imported one came from', async () => {
    const origin = { format: 'claude-code', nativeId: 'abc' };
    await world.append('s1', [sessionStarted('s1', { origin })]);
    expect(await session('s1')).toMatchObject({ imported: true, origin });
  });

  it('has at every event the status and the open calls that the domain sees', async () => {
    const steps: fc.Arbitrary<SessionEvent> = fc.oneof(
      fc.constantFrom('c1', 'c2', 'c3').chain((id) =>
        fc.constantFrom<SessionEvent>(
          toolRequested(id),
          toolStarted(id),
          toolResult(id, 'done'),
          toolUnknown(id),
          { type: 'ToolCallSkipped', data: { callId: id, reason: 'stopped' } },
          {
            type: 'ToolEscalated',
            data: {
              callId: id,
              escalationId: 'e',
              to: 'ada',
              dueAt: '',
              reason: 'noPolicy',
              blocking: true,
            },
          },
          { type: 'ToolOutcomeResolved', data: { callId: id, verdict: 'applied', basis: 'human' } },
        ),
      ),
      fc.constantFrom<SessionEvent>(
        inputAccepted('i1', 'go'),
        inputAccepted('i2', 'wait', { resume: false }),
        inputDelivered('i1'),
        { type: 'InputWithdrawn', data: { inputId: 'i2' } },
        runClaimed(),
        runClaimed({ epoch: 2, reason: 'takeover' }),
        { type: 'RunInterrupted', data: { runId: 'run-1', epoch: 1, reason: 'shutdown' } },
        { type: 'RunStopped', data: { runId: 'run-1', by: 'owner' } },
        { type: 'RunCompleted', data: { runId: 'run-1', epoch: 1 } },
        {
          type: 'SessionQuarantined',
          data: { budget: 'modelCalls', counters: {}, notify: 'ops' },
        },
        { type: 'SessionResumed', data: { cause: 'command', clears: 'stop' } },
        settled('k1'),
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 15 }), async (events) => {
        world = new ProjectionWorld();
        const all = [sessionStarted('s1'), ...events.filter(callsComeInOrder())];
        for (const [index, event] of all.entries()) {
          await world.append('s1', [event]);
          const state = fold(initialState, all.slice(0, index + 1));
          const unresolved = callsOf(state).filter(isUnresolved).length;
          expect(await session('s1')).toMatchObject({
            revision: state.revision,
            status: statusOf(state),
            counters: state.counters,
            pendingInputs: state.pendingInputs.length,
            unresolvedCalls: unresolved,
          });
        }
      }),
      { numRuns: 40 },
    );
  });
});

/** The domain asks for a call once, and settles it for good. */
function callsComeInOrder(): (event: SessionEvent) => boolean {
  let state = initialState;
  return (event) => {
    const call = 'callId' in event.data ? state.calls[event.data.callId] : undefined;
    const isSettled = call !== undefined && !isUnresolved(call);
    const repeated = event.type === 'ToolCallRequested' && call !== undefined;
    if (repeated || (isSettled && event.type !== 'ToolOutcomeResolved')) return false;
    state = fold(state, [event]);
    return true;
  };
}

describe('the list', () => {
  beforeEach(async () => {
    const imported = { origin: { format: 'pi', nativeId: 'x' } };
    await world.append('a', [sessionStarted('a', { labels: { team: 'blue', 'a.b/c': '1' } })]);
    await world.append('b', [childStarted('b', 'a', 'subagent', { labels: { team: 'red' } })]);
    await world.append('c', [sessionStarted('c', { ...imported, labels: { team: 'blue' } })]);
    await world.append('d', [sessionStarted('d', { profile: { name: 'writer', version: '2' } })]);
    await world.append('z', [sessionStarted('z', { labels: { team: 'blue' } })], 'umbrella');
    await world.append('a', [inputAccepted('i1', 'work')]);
  });

  it('shows what changed last first, and one tenant only', async () => {
    expect(await ids()).toEqual(['a', 'd', 'c', 'b']);
    expect(await ids({}, 'umbrella')).toEqual(['z']);
    expect(await session('z')).toBeUndefined();
  });

  it('filters by status, parent, label, profile and origin', async () => {
    expect(await ids({ status: 'scheduled' })).toEqual(['a']);
    expect(await ids({ status: 'idle' })).toEqual(['d', 'c', 'b']);
    expect(await ids({ parentId: 'a' })).toEqual(['b']);
    expect(await ids({ profile: 'writer' })).toEqual(['d']);
    expect(await ids({ imported: true })).toEqual(['c']);
    expect(await ids({ imported: false })).toEqual(['a', 'd', 'b']);
    expect(await ids({ label: { key: 'team', value: 'blue' } })).toEqual(['a', 'c']);
    expect(await ids({ label: { key: 'a.b/c', value: '1' } })).toEqual(['a']);
    expect(await ids({ label: { key: 'team', value: 'blue' }, status: 'idle' })).toEqual(['c']);
    expect(await ids({ label: { key: 'team', value: 'green' } })).toEqual([]);
  });

  it('pages', async () => {
    const first = await list({}, { limit: 3 });
    expect(first.sessions.map(({ sessionId }) => sessionId)).toEqual(['a', 'd', 'c']);
    const second = await list({}, { limit: 3, cursor: first.cursor });
    expect(second.sessions.map(({ sessionId }) => sessionId)).toEqual(['b']);
    expect(second.cursor).toBeUndefined();
  });

  it('says how current it is, and when it is older than what was asked for', async () => {
    const handler = new ListSessionsHandler(
      world.queries([sessionsProjection]),
      world.invalidStreams(),
    );
    await world.catchUp(sessionsProjection);
    const current = await handler.execute(new ListSessions(TENANT, {}, {}, { atLeast: '6' }));
    expect(current.asOf).toEqual({ position: '6', stale: false });
    await world.append('later', [sessionStarted('later')]);
    const demand = { atLeast: '7', waitMs: 5 };
    const stale = await handler.execute(new ListSessions(TENANT, {}, {}, demand));
    expect(stale.asOf).toEqual({ position: '6', stale: true });
    expect(stale.sessions).toHaveLength(4);
    const ahead = handler.execute(new ListSessions(TENANT, {}, {}, { atLeast: '8', waitMs: 5 }));
    await expect(ahead).rejects.toThrow('nothing was written as far as 8 yet: the log ends at 7');
  });
});

describe('the work that there is', () => {
  async function work(): Promise<readonly unknown[]> {
    await world.catchUp(sessionsProjection);
    const lines = await world.documents(sessionsProjection);
    return lines.flatMap((line) =>
      line.startsWith('work ') ? [JSON.parse(line.slice(line.indexOf('{')))] : [],
    );
  }

  it('says since when, for whom and after how many attempts; it is gone when nothing is left', async () => {
    const labels = { team: 'blue' };
    await world.append('s1', [sessionStarted('s1', { labels }), inputAccepted('i1', 'go')]);
    const common = { tenantId: TENANT, sessionId: 's1', profileName: 'coder', labels };
    const since = '2026-01-01T00:00:02.000Z';
    const start = { ...common, reason: 'start', epoch: 0, recoveryAttempts: 0, since };
    expect(await work()).toEqual([start]);
    await world.append('s1', [inputAccepted('i2', 'and this')]);
    expect(await work()).toEqual([start]);
    await world.append('s1', [runClaimed(), inputDelivered('i1'), inputDelivered('i2')]);
    const held = { reason: 'takeover', heldBy: 'worker-7', epoch: 1 };
    expect(await work()).toEqual([{ ...start, ...held, since: '2026-01-01T00:00:04.000Z' }]);
    await world.append('s1', [{ type: 'RunCompleted', data: { runId: 'run-1', epoch: 1 } }]);
    expect(await work()).toEqual([]);
  });

  it('can be chosen by labels as they are now', async () => {
    await world.append('s1', [sessionStarted('s1'), inputAccepted('i1', 'go')]);
    const set = { team: 'red' };
    await world.append('s1', [{ type: 'SessionLabelled', data: { set, removed: [] } }]);
    expect(await work()).toMatchObject([{ labels: set }]);
  });
});
