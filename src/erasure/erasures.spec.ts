import { expect, it } from '@jest/globals';
import type { CommandHandling } from '../commands/handle-command.js';
import type { SessionRepository } from '../commands/session-repository.js';
import type { HistoryReader } from '../history/history-reader.js';
import type { NewEvents } from '../history/new-events.js';
import type { ReadModels } from '../projections/read-models.js';
import type { EventStore } from '../storage/event-store.js';
import type { SessionEraser } from '../storage/session-eraser.js';
import { Erasures } from './erasures.js';
import type { FindDescendants } from './find-descendants.js';

it('whatever remembers a session in memory is told to forget it', () => {
  const told: unknown[][] = [];
  const memory = (name: string) => ({
    forget: (...what: unknown[]) => void told.push([name, ...what]),
  });
  const erasures = new Erasures(
    {} as CommandHandling,
    memory('states') as unknown as SessionRepository,
    memory('history') as unknown as HistoryReader,
    memory('feeds') as unknown as NewEvents,
    {} as ReadModels,
    {} as FindDescendants,
    {} as EventStore,
    memory('keys') as unknown as SessionEraser,
    () => 0,
  );
  erasures.forget('t', 's');
  expect(told).toHaveLength(4);
  expect(told).toEqual(
    expect.arrayContaining([
      ['feeds', 'session-t.s'],
      ['history', 't', 's'],
      ['keys', { tenantId: 't', sessionId: 's' }],
      ['states', 'session-t.s'],
    ]),
  );
});
