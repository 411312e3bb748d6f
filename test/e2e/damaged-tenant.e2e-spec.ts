import { describe, expect, it } from '@jest/globals';
import { startApp } from '../support/app-in-process.js';
import { anthropicAnswer } from '../support/provider-answers.js';
import { SessionWorker } from '../support/session-worker.js';

describe('a tenant whose price cards are damaged', () => {
  it('U22: still has its usage recorded, without a price, and no call is repeated', async () => {
    const damaged = await startApp();
    try {
      await damaged.ports.events.append('tenant-default', 'noStream', [
        {
          eventId: '1f9a6c1e-58f1-5c53-8b68-0f6e1a6d2c01',
          type: 'PriceCardAdded',
          data: '{}',
          metadata: '{}',
          recordedAtMs: 0,
          keys: [],
        },
      ]);
      const worker = new SessionWorker(damaged.http);
      await worker.start();
      await worker.input('Go on.');
      await worker.claim();
      await worker.turn(anthropicAnswer('Yes.'), { provider: 'anthropic' });
      await worker.complete();
      const settled = (await worker.events()).find(({ type }) => type === 'ModelCallSettled');
      expect(settled!.data).toMatchObject({
        usage: { state: 'final', buckets: { inputFresh: 1_000, outputText: 100 } },
        cost: { amountPico: null, reason: 'pricing_failed' },
      });
      const read = { id: 'toolu_1', name: 'read_file', input: { path: 'a' } };
      const reader = new SessionWorker(damaged.http);
      await reader.start();
      await reader.input('Read it.');
      await reader.claim();
      await reader.turn(anthropicAnswer('', [read]));
      const requested = (await reader.events()).find(({ type }) => type === 'ToolCallRequested');
      // Whatever the session or we say of a tool of this name: the registry might say otherwise.
      expect(requested!.data).toMatchObject({ tool: 'read_file', effect: 'opaqueWrite' });
    } finally {
      await damaged.close();
      damaged.folder.remove();
    }
  });
});
