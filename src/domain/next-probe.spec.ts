import { describe, expect, it } from '@jest/globals';
import { at, tool } from '../../test/support/commands.js';
import { askedFor, outcomeUnknown, toolCallStarted } from '../../test/support/events.js';
import { given } from '../../test/support/given-when-then.js';
import { reconcileCall } from '../../test/support/settling-commands.js';
import type { SessionEvent } from './events.js';
import type { HttpProbe } from './http-probe.js';
import { dueProbes } from './next-probe.js';
import { nextDueAt } from './next-step.js';
import type { ToolDeclaration } from './tool-manifest.js';

const PROBE: HttpProbe = {
  method: 'GET',
  urlTemplate: 'https://api.example.com/orders/{opKey}',
  rules: [{ status: [200], answer: 'found' }],
};

function order(declared: Partial<ToolDeclaration> = {}) {
  return tool({ effect: 'queryableWrite', httpProbe: PROBE, ...declared });
}

function unknown(declared: Partial<ToolDeclaration> = {}): readonly SessionEvent[] {
  return [...askedFor(order(declared)), toolCallStarted(), outcomeUnknown()];
}

function probed(probeNo: number, ms: number): SessionEvent {
  return {
    type: 'ToolProbeRecorded',
    data: {
      callId: 'call-1',
      probeNo,
      kind: 'query',
      source: 'http',
      requestedAt: at(ms),
      verdict: 'inconclusive',
      evidence: { method: 'GET', target: PROBE.urlTemplate, observedAt: at(ms) },
    },
  };
}

/** Asks whenever it is due, and is told nothing: the moments at which it asked. */
function momentsOf(declared: Partial<ToolDeclaration>): readonly number[] {
  const moments: number[] = [];
  let events = unknown(declared);
  for (;;) {
    const { state } = given(events);
    if (dueProbes(state, at(10 ** 10)).length === 0) return moments;
    const ms = Date.parse(nextDueAt(state)!) - Date.parse(at(0));
    moments.push(ms);
    events = [...events, probed(moments.length, ms)];
  }
}

describe('when the server asks a target', () => {
  it('asks at once, then after 1, 2, 4 … seconds up to a minute, 12 times', () => {
    const seconds = [0, 1, 3, 7, 15, 31, 63, 123, 183, 243, 303, 363];
    expect(momentsOf({}).map((ms) => ms / 1_000)).toEqual(seconds);
  });

  it('asks once more at the moment "not found" becomes final', () => {
    const early = momentsOf({ notFoundIsFinalAfterMs: 80_000 }).map((ms) => ms / 1_000);
    expect(early).toEqual([0, 1, 3, 7, 15, 31, 63, 80, 140, 200, 260, 320]);
    const late = momentsOf({ maxProbes: 2, notFoundIsFinalAfterMs: 3_600_000 });
    expect(late).toEqual([0, 1_000, 3_600_000]);
  });

  it('asks a person when its queries are used up, not before', () => {
    const one = { maxProbes: 1 };
    const step = (...events: readonly SessionEvent[]) =>
      given(unknown(one), events).when(reconcileCall()).short;
    expect(step()).toBe('repeated');
    expect(step(probed(1, 0))).toEqual(['ToolEscalated(probesExhausted)']);
  });

  it('has nothing to ask about a keyed write that may be repeated', () => {
    const keyed = unknown({ effect: 'keyedWrite', keyWindowMs: 86_400_000 });
    expect(dueProbes(given(keyed).state, at(500))).toEqual([]);
    const { state } = given(keyed).when(reconcileCall({ now: at(1_000) }));
    expect(state.calls['call-1']?.status).toBe('retryAuthorized');
    expect(dueProbes(state, at(0))).toEqual([]);
  });

  it('needs a reference that the call has not got yet, and asks a person after a day', () => {
    const urlTemplate = 'https://api.example.com/orders/{externalRef}';
    const events = unknown({ httpProbe: { ...PROBE, urlTemplate } });
    expect(dueProbes(given(events).state, at(0))).toEqual([]);
    const progressed: SessionEvent = {
      type: 'ToolCallProgressed',
      data: { callId: 'call-1', attempt: 1, externalRef: 'order-7' },
    };
    const known = given(events.slice(0, -1), progressed, events.slice(-1)).state;
    expect(dueProbes(known, at(0))).toMatchObject([
      { probeNo: 1, url: 'https://api.example.com/orders/order-7' },
    ]);
    const nobodyCame = given(events).when(reconcileCall({ now: at(2 * 86_400_000) }));
    expect(nobodyCame.short).toEqual(['ToolEscalated(probesExhausted)']);
  });
});
