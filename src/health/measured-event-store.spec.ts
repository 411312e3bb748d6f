import { afterEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { memoryPorts } from '../app/memory-ports.js';
import { sessionStream } from '../identity/derived-ids.js';
import { EventCodec } from '../storage/event-codec.js';
import { MeasuredEventStore } from './measured-event-store.js';
import { Metrics } from './metrics.js';

afterEach(() => {
  jest.restoreAllMocks();
});

it('says in the log which call of which session contradicts what was recorded', async () => {
  const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
  const store = new MeasuredEventStore(memoryPorts().events, new Metrics());
  const conflict = new EventCodec().encode({
    eventId: '1f9a6c1e-58f1-5c53-8b68-0f6e1a6d2c01',
    event: { type: 'ToolConflictDetected', data: { callId: 'call-1', kind: 'duplicateEffect' } },
    metadata: {
      tenantId: 'acme',
      actor: 'worker-key',
      commandType: 'ReportLateResult',
      commandId: 'late-1',
    },
    recordedAtMs: 0,
  });
  await store.append(sessionStream('acme', 'session-1'), 'noStream', [conflict]);
  expect(warned.mock.calls).toEqual([
    [
      'tool_conflict: session session-1, call call-1: duplicateEffect, ' +
        'found by ReportLateResult of worker-key',
    ],
  ]);
});
