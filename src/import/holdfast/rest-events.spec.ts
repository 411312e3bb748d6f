import { describe, expect, it } from '@jest/globals';
import { tool } from '../../../test/support/commands.js';
import {
  askedFor,
  escalated,
  modelCallStarted,
  outcomeUnknown,
  ownedSession,
  retryAuthorized,
  toolCallStarted,
} from '../../../test/support/events.js';
import type { SessionEvent } from '../../domain/events.js';
import { fold } from '../../domain/evolve.js';
import { initialState } from '../../domain/state.js';
import { restEvents } from './rest-events.js';

const AT = '2026-05-01T00:00:00.000Z';
const asked = askedFor(tool());
const unknown = [...asked, toolCallStarted(), outcomeUnknown()];

const places: readonly (readonly [string, readonly SessionEvent[], readonly object[]])[] = [
  ['before its first call', ownedSession(tool()), []],
  [
    'asking a model',
    [...ownedSession(tool()), modelCallStarted()],
    [
      {
        type: 'ModelCallSettled',
        data: {
          modelCallId: 'model-call-1',
          callKey: 'call:there/model-call-1',
          outcome: 'interrupted',
          endedAt: AT,
          usage: { state: 'unknown', source: 'imported' },
        },
      },
    ],
  ],
  ['with a call that never started', asked, []],
  ...(
    [
      ['running', [...asked, toolCallStarted()]],
      ['to be probed', unknown],
      ['to be repeated', [...unknown, retryAuthorized()]],
      ['to be decided', [...unknown, escalated()]],
    ] as const
  ).map(
    ([what, events]) =>
      [
        `with a call ${what}`,
        events,
        [{ type: 'ToolOutcomeUnknown', data: { callId: 'call-1', reason: 'imported' } }],
      ] as const,
  ),
];

describe('what brings an imported session to rest', () => {
  for (const [where, events, expected] of places) {
    it(`${where}, once`, () => {
      const state = fold(initialState, events);
      const rest = restEvents(state, 'there', AT);
      expect(rest).toMatchObject([
        ...expected,
        { type: 'RunInterrupted', data: { runId: 'run-1', epoch: 0, reason: 'imported' } },
      ]);
      expect(restEvents(fold(state, rest), 'there', AT)).toEqual([]);
    });
  }
});
