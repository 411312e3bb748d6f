import { beforeEach, describe, expect, it } from '@jest/globals';
import { ProjectionWorld, TENANT } from '../../../test/projections/projection-world.js';
import {
  forked,
  late,
  sessionStarted,
  toolRequested,
} from '../../../test/projections/session-events.js';
import { undoOrdered } from '../../../test/support/undo-events.js';
import type { SessionEvent } from '../../domain/events.js';
import { rebuild } from '../rebuild.js';
import { type CallName, FindCalls, FindCallsHandler } from './find-calls.query.js';
import { toolCallsProjection } from './tool-calls-projection.js';

let world: ProjectionWorld;
beforeEach(() => {
  world = new ProjectionWorld();
});

async function found(name: CallName, tenantId = TENANT): Promise<readonly string[]> {
  await world.catchUp(toolCallsProjection);
  const handler = new FindCallsHandler(world.queries([toolCallsProjection]));
  const calls = await handler.execute(new FindCalls(tenantId, name, 10));
  return calls.map(({ sessionId, callId }) => `${sessionId}/${callId}`);
}

const progressed = (callId: string, externalRef: string): SessionEvent => ({
  type: 'ToolCallProgressed',
  data: { callId, attempt: 1, externalRef },
});

function requested(callId: string, more: object): SessionEvent {
  const event = toolRequested(callId);
  return { ...event, data: { ...event.data, ...more } } as SessionEvent;
}

const inherited = (callId: string, originSessionId: string) => ({
  callId,
  originSessionId,
  opKey: 'key-1',
  tool: 'send_mail',
  argsHash: 'hash',
  effect: 'opaqueWrite' as const,
  stateAtCut: 'unknown',
});

describe('a write', () => {
  it('is found by its operation key, by the id that its target gave it, and in its tenant only', async () => {
    await world.append('s1', [
      sessionStarted('s1'),
      requested('c1', { effect: 'opaqueWrite', opKey: 'key-1' }),
      progressed('c1', 'order-7'),
    ]);
    await world.append('s2', [
      sessionStarted('s2'),
      requested('c2', { effect: 'queryableWrite', opKey: 'key-2' }),
      progressed('c2', 'order-7'),
    ]);
    expect(await found({ opKey: 'key-1' })).toEqual(['s1/c1']);
    expect(await found({ externalRef: 'order-7' })).toEqual(['s2/c2', 's1/c1']);
    expect(await found({ opKey: 'key-1' }, 'other')).toEqual([]);
    expect(await found({ opKey: 'key-3' })).toEqual([]);
  });

  it('that undoes another is found, too; reads are not', async () => {
    await world.append('s1', [
      sessionStarted('s1'),
      requested('c1', { effect: 'readOnly', opKey: 'key-1' }),
      requested('call-1', { effect: 'opaqueWrite', opKey: 'key-2' }),
      undoOrdered({ opKey: 'key-of-undo' }),
    ]);
    expect(await found({ opKey: 'key-1' })).toEqual([]);
    expect(await found({ opKey: 'key-of-undo' })).toEqual(['s1/undo-1']);
  });

  it('stands in the same bytes after a rebuild, and after a second fold', async () => {
    await world.append('s1', [
      sessionStarted('s1'),
      requested('c1', { effect: 'opaqueWrite', opKey: 'key-1' }),
      progressed('c1', 'order-7'),
      progressed('c1', 'order-8'),
      ...late('c1', 'ordered'),
    ]);
    await world.append('f1', [forked('f1', 's1', { inherited: [inherited('c1', 's1')] })]);
    await world.append('s1', late('c1', 'ordered again'));
    await found({ opKey: 'key-1' });
    const live = await world.documents(toolCallsProjection);
    const options = { batchEventsMax: 3, graceMs: 0, instanceId: 'me', leaseTtlMs: 1_000 };
    await rebuild(toolCallsProjection, world.ports, options);
    expect(await world.documents(toolCallsProjection)).toEqual(live);
    expect(live).toEqual([
      expect.stringContaining('order-8'),
      expect.stringContaining('"changedAt":"00000000000000000009"'),
      expect.stringContaining('"origin":"acme.s1:c1"'),
    ]);
  });
});
