import { expect, it } from '@jest/globals';
import type { CommandBus } from '@nestjs/cqrs';
import type { SessionRepository } from '../commands/session-repository.js';
import type { WorkDocument } from '../projections/sessions/session-document.js';
import { ClaimWorkBody } from './claim-work.dto.js';
import type { OpenWork } from './open-work.js';
import type { ReadyWork } from './ready-work.js';
import { WorkOffers, type WorkWish } from './work-offers.js';

const never = new AbortController().signal;

function wishOf(body: Partial<ClaimWorkBody>): WorkWish {
  const wish = { workerId: 'w', claimToken: 'x'.repeat(32), labels: {}, waitMs: 0, ...body };
  return {
    tenantId: 't',
    actor: 'a',
    body: Object.assign(new ClaimWorkBody(), wish),
    signal: never,
  };
}

/** Work of these sessions is open, and nobody may have it yet. */
function offersOf(open: AsyncGenerator<WorkDocument>, asked: string[] = []): WorkOffers {
  const openWork = { of: () => open, head: async () => 0n } as Partial<OpenWork> as OpenWork;
  const ready = {
    tidy: () => undefined,
    isReady: async ({ sessionId }: WorkDocument) => {
      asked.push(sessionId);
      return false;
    },
  } as Partial<ReadyWork> as ReadyWork;
  const unused = {} as CommandBus & SessionRepository;
  return new WorkOffers(openWork, unused, ready, unused, () => Date.now());
}

async function* workOf(count: number, labelled: number): AsyncGenerator<WorkDocument> {
  for (let index = 0; index < count; index += 1) {
    const labels = { pool: index < labelled ? 'mine' : 'other' };
    const sessionId = `s${index}`;
    const been = { epoch: 0, recoveryAttempts: 0, since: '2026-05-01T00:00:00Z' };
    yield { tenantId: 't', sessionId, labels, reason: 'start', ...been };
  }
}

it('loads no session that is for other workers', async () => {
  const asked: string[] = [];
  const offers = offersOf(workOf(1_000, 3), asked);
  expect(await offers.next(wishOf({ labels: { pool: 'mine' } }))).toBeUndefined();
  expect(asked.toSorted()).toEqual(['s0', 's1', 's2']);
  await offers.stop();
});

it('answers in time, however long a look takes', async () => {
  let goOn = (): void => undefined;
  async function* slow(): AsyncGenerator<WorkDocument> {
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    yield* workOf(1, 1);
  }
  const offers = offersOf(slow());
  expect(await offers.next(wishOf({ waitMs: 0 }))).toBeUndefined();
  goOn();
  await offers.stop();
});

it('answers in time, also when the list has no end and nothing of it has to be waited for', async () => {
  const offers = offersOf(workOf(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY));
  expect(await offers.next(wishOf({ labels: { pool: 'mine' }, waitMs: 0 }))).toBeUndefined();
  await offers.stop();
});
