import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { RECOVERY_ATTEMPTS_MAX } from '../../src/domain/decide-claim.js';
import { crashTimeoutMs, CrashWorld, LEASE_TTL_MS } from './crash-world.js';

jest.setTimeout(crashTimeoutMs());

const SESSION = 'model-crash-loop';

let world: CrashWorld;
beforeAll(async () => {
  world = await CrashWorld.open();
});
afterAll(() => world.close());

/** An agent that is killed at its first step, which is a model call. */
async function dies(): Promise<void> {
  const agent = world.startAgent([SESSION]);
  await world.target.held(1);
  await agent.end('SIGKILL');
  await pause(LEASE_TTL_MS + 100);
}

it('fc-12.1, fc-12.2, fc-12.3, fc-12.4, fc-12.5: a run that kills each of its workers is given up once, and the session goes on', async () => {
  const worker = world.worker(SESSION);
  await worker.start();
  await worker.input('Crash me.', { inputId: 'u1' });
  world.target.holdBack();
  for (let turn = 0; turn <= RECOVERY_ATTEMPTS_MAX; turn += 1) await dies();

  const events = await worker.events();
  const attempts = events.filter(({ type }) => type === 'RecoveryAttempted');
  expect(attempts.map(({ data }) => data.attempt)).toEqual(
    Array.from({ length: RECOVERY_ATTEMPTS_MAX }, (_, index) => index + 1),
  );
  for (const { revision } of attempts) expect(events[revision - 1]!.type).toBe('RunClaimed');
  expect(events.filter(({ type }) => type === 'ModelCallStarted')).toHaveLength(
    RECOVERY_ATTEMPTS_MAX + 1,
  );

  const claim = { workerId: 'next', claimToken: worker.owner.claimToken };
  for (let scan = 0; scan < 2; scan += 1) {
    const refused = await world.server.http.post(worker.path('/runs'), claim);
    expect(refused).toMatchObject({ status: 409, body: { code: 'session_quarantined' } });
  }
  const end = (await worker.events()).slice(events.length).map(({ type }) => type);
  // What its last worker left open is settled in the same append.
  expect(end.toSorted()).toEqual(['ModelCallSettled', 'SessionQuarantined']);

  await worker.input('Something else.', { inputId: 'u2' });
  world.target.answer();
  await world.startAgent([SESSION]).done();
  const { standing } = await worker.read();
  expect(standing).toMatchObject({ stoppedBy: 'completed' });
});
