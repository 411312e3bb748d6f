import { beforeEach, describe, expect, it } from '@jest/globals';
import { at, tool } from '../../test/support/commands.js';
import { askedFor, outcomeUnknown, toolCallStarted } from '../../test/support/events.js';
import { given } from '../../test/support/given-when-then.js';
import type { CommandHandling } from '../commands/handle-command.js';
import { SteadyTimes } from '../commands/steady-times.js';
import type { Egress } from '../egress/egress.js';
import { NamedProbes } from '../egress/named-probes.js';
import { SendProbes } from './send-probes.js';

const FINAL_MS = 600_000;
const ORDER = tool({
  effect: 'queryableWrite',
  probe: true,
  notFoundIsFinalAfterMs: FINAL_MS,
  httpProbe: {
    method: 'GET',
    urlTemplate: 'https://shop.test/{opKey}',
    externalRefPointer: '/id',
    rules: [{ status: [404], answer: 'notFound' }],
  },
});
const { state } = given([...askedFor(ORDER), toolCallStarted(), outcomeUnknown()]);
const SCOPE = { tenantId: 'acme', sessionId: 's1', actor: 'reconciler' };

let wallMs: number;
let monotonicMs: number;
let asked: number;
let probes: SendProbes;
let answered: string;
let recorded: readonly unknown[];

beforeEach(() => {
  wallMs = Date.parse(at(0));
  monotonicMs = 5_000;
  asked = 0;
  answered = '{}';
  const egress = {
    send: async () => {
      asked += 1;
      return { status: 404, isJson: true, body: Buffer.from(answered) };
    },
  } as unknown as Egress;
  const context = { now: at(0), hash: () => 'hash' };
  const handling = {
    handle: async (_: unknown, commandsOf: (given: unknown) => readonly unknown[]) => {
      recorded = commandsOf(context);
      return { state };
    },
  } as unknown as CommandHandling;
  const times = new SteadyTimes(
    () => monotonicMs,
    () => wallMs,
  );
  probes = new SendProbes(egress, new NamedProbes(), handling, times, () => wallMs);
});

function pass(ms: number): void {
  wallMs += ms;
  monotonicMs += ms;
}

async function askedNow(): Promise<number> {
  const before = asked;
  await probes.due(SCOPE, state);
  return asked - before;
}

describe('the question whose "not found" counts', () => {
  it('is not asked early because the wall clock jumped ahead', async () => {
    expect(await askedNow()).toBe(1);
    wallMs += FINAL_MS;
    expect(await askedNow()).toBe(0);
    pass(FINAL_MS - 1);
    expect(await askedNow()).toBe(0);
    pass(1);
    expect(await askedNow()).toBe(1);
  });

  it('is asked later after a restart: the new process has to have known the attempt as long', async () => {
    pass(2 * FINAL_MS);
    expect(await askedNow()).toBe(0);
    pass(ORDER.maxFlightMs);
    expect(await askedNow()).toBe(1);
  });

  it('that is asked before counts for nothing, so it is never held back', async () => {
    pass(FINAL_MS - 1);
    expect(await askedNow()).toBe(1);
  });
});

describe('what a target answers', () => {
  it.each([
    ['{"id":1234567890123456789}', '1234567890123456789'],
    ['{"id":17}', '17'],
  ])('names the operation by the id in it, digit by digit: %s', async (body, externalRef) => {
    answered = body;
    expect(await askedNow()).toBe(1);
    expect(recorded).toMatchObject([{ answer: 'notFound', evidence: { externalRef } }]);
  });

  it('proves nothing with a number that nothing holds', async () => {
    answered = '{"id":1e999}';
    expect(await askedNow()).toBe(1);
    expect(recorded).toMatchObject([{ answer: 'error' }]);
  });
});
