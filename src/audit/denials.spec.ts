import { describe, expect, it, jest } from '@jest/globals';
import type { TrailEvent } from '../domain/audit/trail-events.js';
import { MemoryEventStore } from '../storage/memory/memory-event-store.js';
import { auditStream } from '../identity/derived-ids.js';
import { decodeTrailEvent } from '../storage/trail-event-codec.js';
import { AuditTrail } from './audit-trail.js';
import { DENIAL_WINDOW_MS, type Denial, Denials } from './denials.js';

const SENDER = { tenantId: 'acme', actor: 'key:acme.1' };

const denial = (operation: string): Denial => ({
  reason: 'scopeMissing',
  operation,
  needed: ['key:manage'],
  source: '127.0.0.1',
});

class World {
  now = 1_000;
  readonly events = new MemoryEventStore();
  readonly denials = new Denials(new AuditTrail(this.events, () => this.now), () => this.now);

  async written(): Promise<readonly Extract<TrailEvent, { type: 'AccessDenied' }>['data'][]> {
    await this.denials.beforeApplicationShutdown();
    const stored = await this.events.read(auditStream('acme'), { from: 0, maxCount: 100 });
    return stored.map((one) => decodeTrailEvent(one).data as never);
  }
}

describe('denials', () => {
  it('are written at once the first time, then together: a flood fills no log', async () => {
    const world = new World();
    for (let tries = 0; tries < 1_000; tries += 1)
      world.denials.note(SENDER, denial('GET /v1/keys'));
    expect((await world.written()).map(({ count }) => count)).toEqual([1, 999]);
  });

  it('of another operation, and of a later minute, are others', async () => {
    const world = new World();
    world.denials.note(SENDER, denial('GET /v1/keys'));
    world.denials.note(SENDER, denial('POST /v1/keys'));
    world.now += DENIAL_WINDOW_MS;
    world.denials.note(SENDER, denial('GET /v1/keys'));
    const found = await world.written();
    expect(found.map(({ operation, count }) => [operation, count])).toEqual([
      ['GET /v1/keys', 1],
      ['POST /v1/keys', 1],
      ['GET /v1/keys', 1],
    ]);
  });

  it('are all written by writers that race, in few appends', async () => {
    const world = new World();
    const append = jest.spyOn(world.events, 'append');
    for (let each = 0; each < 80; each += 1) world.denials.note(SENDER, denial(`GET /v1/${each}`));
    const written = await world.written();
    expect(written.map(({ operation }) => operation)).toEqual(
      Array.from({ length: 80 }, (_, each) => `GET /v1/${each}`),
    );
    expect(append.mock.calls.length).toBeLessThan(5);
  });
});
