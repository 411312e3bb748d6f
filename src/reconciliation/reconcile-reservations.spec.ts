import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CommandApplication } from '../../test/support/command-application.js';
import { ANTHROPIC_MODEL, anthropicAnswer } from '../../test/support/provider-answers.js';
import { memoryPorts } from '../app/memory-ports.js';
import type { Ports } from '../app/ports.js';
import { ReserveForCalls } from '../commands/budgets/reserve-for-calls.js';
import { SettleReservations } from '../commands/budgets/settle-reservations.js';
import { SettleModelCall } from '../commands/settle-model-call/settle-model-call.handler.js';
import { StartModelCall } from '../commands/start-model-call/start-model-call.handler.js';
import type { Json } from '../domain/content.js';
import { TenantRepository } from '../commands/tenant-repository.js';
import { sessionStream } from '../identity/derived-ids.js';
import { AppendUnknownError } from '../storage/event-store.js';
import {
  ABANDONED_AFTER_MS,
  ReconcileReservations,
  UNSTARTED_AFTER_MS,
} from './reconcile-reservations.js';

const CALL = {
  modelCallId: 'm1',
  purpose: 'turn',
  delivers: [],
  provider: 'anthropic',
  model: ANTHROPIC_MODEL,
  inputTokens: 1_000,
  maxOutputTokens: 100,
} as const;

let nowMs: number;
let ports: Ports;
let app: CommandApplication;
beforeEach(async () => {
  nowMs = Date.parse('2026-01-05T09:00:00.000Z');
  ports = memoryPorts();
  app = await CommandApplication.open(ports, () => nowMs);
});
afterEach(async () => {
  await app.close();
});

type Session = Awaited<ReturnType<CommandApplication['claimed']>>;

async function budgeted(): Promise<Session> {
  const session = await app.claimed();
  await app.setBudget('b', { kind: 'session', sessionId: session.sessionId }, '1');
  return session;
}

const start = ({ scope, owner }: Session) =>
  app.commands.execute(new StartModelCall(scope, { ...owner, ...CALL, delivers: [] }));

const settle = ({ scope, owner }: Session) => {
  const response = anthropicAnswer('Yes.') as unknown as Json;
  const body = { ...owner, outcome: 'completed', response } as const;
  return app.commands.execute(new SettleModelCall(scope, { modelCallId: 'm1', body }));
};

async function reconciledAfter(ms: number) {
  nowMs += ms;
  await app.get(ReconcileReservations).reconcileAll();
  await app.get(ReconcileReservations).reconcileAll();
  return app.standing('b');
}

describe('what a crash leaves in a ledger', () => {
  it('between the hold and the start: is given back, once no start can follow', async () => {
    const { scope, owner } = await budgeted();
    const call = { ...owner, ...CALL, delivers: [] };
    const tenant = await app.get(TenantRepository).current(scope.tenantId);
    const crash = app.get(ReserveForCalls).around(scope, [call], tenant, () => {
      throw new AppendUnknownError('the process died');
    });
    await expect(crash).rejects.toThrow('the process died');
    const held = { reserved: '0.0045', runningCalls: 1 };
    expect(await reconciledAfter(UNSTARTED_AFTER_MS - 1)).toMatchObject(held);
    expect(await reconciledAfter(1)).toMatchObject({ reserved: '0', spent: '0', calls: 0 });
  });

  it('between the settlement and its charge: is charged once', async () => {
    const session = await budgeted();
    await start(session);
    const crash = jest
      .spyOn(app.get(SettleReservations), 'afterAppend')
      .mockResolvedValueOnce(undefined);
    await settle(session);
    crash.mockRestore();
    expect(await app.standing('b')).toMatchObject({ spent: '0', reserved: '0.0045' });
    const charged = { spent: '0.0045', reserved: '0', calls: 1 };
    expect(await reconciledAfter(10_000)).toMatchObject(charged);
    await settle(session);
    expect(await reconciledAfter(10_000)).toMatchObject(charged);
  });

  it('between start and settlement: is kept while the owner lives, then charged in part', async () => {
    const session = await budgeted();
    await start(session);
    expect(await reconciledAfter(ABANDONED_AFTER_MS)).toMatchObject({ reserved: '0.0045' });
    const name = sessionStream(session.scope.tenantId, session.sessionId);
    const { holder, fence } = (await ports.leases.current(name))!;
    await ports.leases.release(name, holder, fence);
    expect(await reconciledAfter(0)).toMatchObject({ spent: '0.003', reserved: '0', calls: 1 });
    await settle(session);
    expect(await app.standing('b')).toMatchObject({ spent: '0.0045', reserved: '0', calls: 1 });
  });
});

describe('calls that begin at the same time', () => {
  it('never hold more than there is, in two programs on one store', async () => {
    const other = await CommandApplication.open(ports, () => nowMs);
    const root = await app.claimed();
    await app.setBudget('b', { kind: 'tree', sessionId: root.sessionId }, '0.045');
    const children = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (index % 2 === 0 ? app : other).claimed(undefined, root.sessionId),
      ),
    );
    const started = await Promise.allSettled(
      children.map(({ scope, owner }, index) =>
        (index % 2 === 0 ? app : other).commands.execute(
          new StartModelCall(scope, { ...owner, ...CALL, delivers: [] }),
        ),
      ),
    );
    const refusals = started.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refusals).toHaveLength(30);
    for (const refusal of refusals) expect(refusal).toMatchObject({ code: 'budget_exhausted' });
    expect(await app.standing('b')).toMatchObject({
      reserved: '0.045',
      left: '0',
      runningCalls: 10,
    });
    await other.close();
  });
});
