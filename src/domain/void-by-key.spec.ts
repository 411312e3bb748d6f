import { describe, expect, it } from '@jest/globals';
import { at, stopRun, tool } from '../../test/support/commands.js';
import { askedFor, outcomeUnknown, toolCallStarted } from '../../test/support/events.js';
import { given } from '../../test/support/given-when-then.js';
import {
  decideEscalation,
  reconcileCall,
  recordProbe,
  recordVoid,
} from '../../test/support/settling-commands.js';
import type { SessionCommand } from './commands.js';
import type { SessionEvent } from './events.js';
import { dueProbes } from './next-probe.js';
import { type ToolDeclaration, manifestFaults } from './tool-manifest.js';

const FENCED: Partial<ToolDeclaration> = {
  effect: 'queryableWrite',
  httpProbe: {
    method: 'GET',
    urlTemplate: 'https://target.test/orders/{opKey}',
    rules: [{ status: [404], answer: 'notFound' }],
  },
  voidByKey: {
    method: 'POST',
    urlTemplate: 'https://target.test/orders/{opKey}/void',
    voidedStatus: [200, 204],
  },
};

function unknown(declared: Partial<ToolDeclaration> = {}): readonly SessionEvent[] {
  return [...askedFor(tool({ ...FENCED, ...declared })), toolCallStarted(), outcomeUnknown()];
}

function notFound(ms: number) {
  const now = at(ms);
  return recordProbe({ commandId: `probe-${ms}`, now, requestedAt: now, answer: 'notFound' });
}

describe('making an operation key unusable', () => {
  it('is due when the target knows nothing and the request may still arrive', () => {
    const due = (...commands: readonly SessionCommand[]) =>
      dueProbes(given(unknown()).when(...commands).state, at(60_000)).map(({ kind }) => kind);
    expect(dueProbes(given(unknown()).state, at(0)).map(({ kind }) => kind)).toEqual(['query']);
    expect(due(notFound(0))).toEqual(['void']);
    expect(due(notFound(0), recordVoid({ requestedAt: at(1) }))).toEqual(['query']);
    const failed = recordVoid({ requestedAt: at(1), voided: false });
    expect(due(notFound(0), failed)).toEqual(['query']);
  });

  it('makes a "not found" that was asked for after it final at once, without another attempt', () => {
    const then = given(unknown()).when(recordVoid({ requestedAt: at(10) }), notFound(20));
    expect(then.short).toEqual([
      'ToolProbeRecorded(query notApplied)',
      'ToolOutcomeResolved(notApplied probe)',
    ]);
  });

  it('does not make an earlier question, or one after a failed void, final', () => {
    const earlier = given(unknown()).when(recordVoid({ requestedAt: at(10) }), notFound(5));
    expect(earlier.short).toEqual(['ToolProbeRecorded(query inconclusive)']);
    const failed = given(unknown()).when(
      recordVoid({ requestedAt: at(10), voided: false }),
      notFound(20),
    );
    expect(failed.short).toEqual(['ToolProbeRecorded(query inconclusive)']);
  });

  it('ends every repetition with the key, by policy or by a person', () => {
    const keyed = unknown({ effect: 'keyedWrite', keyWindowMs: 86_400_000 });
    expect(given(keyed).when(recordVoid(), reconcileCall()).outcome).toBe('repeated');
    const ordered = decideEscalation({ decision: 'retry' });
    expect(given(unknown()).when(recordVoid(), ordered).outcome).toBe('invalid_state');
  });

  it('is allowed after a stop and may be repeated', () => {
    const stopped = given(unknown()).when(
      stopRun(),
      recordVoid(),
      recordVoid({ commandId: 'void-2', requestedAt: at(5) }),
    );
    expect(stopped.short).toEqual(['ToolProbeRecorded(void inconclusive)']);
  });

  it('is refused for a call whose outcome is not in question', () => {
    expect(given(askedFor(tool(FENCED))).when(recordVoid()).outcome).toBe('invalid_state');
  });

  it('needs a key in its address, statuses that confirm it, and a query beside it', () => {
    const faults = manifestFaults(
      tool({
        effect: 'queryableWrite',
        voidByKey: {
          method: 'POST',
          urlTemplate: 'https://target.test/{externalRef}',
          voidedStatus: [500],
        },
      }),
    );
    expect(faults.join('\n')).toMatch(/\{opKey\}[^]*below 500[^]*httpProbe beside it/);
  });
});
