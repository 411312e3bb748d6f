import type { Json } from '../../domain/content.js';
import { reportLateResult } from '../../domain/decide-late-result.js';
import type { EventOf, SessionEvent } from '../../domain/events.js';
import { NOTHING_PAST } from '../../domain/past.js';
import type { KnownCall, KnownSession } from '../known-session.js';
import type { SessionContent } from '../session-content.js';
import { toolAnswer } from './line-content.js';
import type { JsonObject } from './log-line.js';
import { IMPORTED_EPOCH } from '../imported-epoch.js';

const ATTEMPT = 1;

/**
 * What a tool answered. A denied call never ran: its recorded words are what the model saw, and the
 * call is skipped. A result for a call whose outcome an earlier, shorter import could not know takes
 * the path of late results.
 */
export async function resultEvents(
  known: KnownSession,
  content: SessionContent,
  call: KnownCall,
  given: { readonly block: JsonObject; readonly denied: boolean; readonly details?: Json },
  now: string,
): Promise<readonly SessionEvent[]> {
  const { block, denied, details } = given;
  const status = denied ? 'noEffect' : 'completed';
  const scope = denied ? 'operation' : undefined;
  const { result, resultHash } = await content.toolResult(
    { isError: block['is_error'] === true, content: await toolAnswer(block, content), details },
    status,
    scope,
  );
  const { callId } = call;
  const skipped: readonly SessionEvent[] = denied
    ? [{ type: 'ToolCallSkipped', data: { callId, reason: 'denied' } }]
    : [];
  const answered = { callId, attempt: ATTEMPT, status, scope, resultHash, result } as const;
  if (call.outcome === 'none') {
    const recorded: EventOf<'ToolResultRecorded'> = {
      type: 'ToolResultRecorded',
      data: { ...answered, epoch: IMPORTED_EPOCH },
    };
    return [recorded, ...skipped];
  }
  return [...lateEvents(known, answered, now), ...skipped];
}

type Answered = Pick<
  EventOf<'ToolResultRecorded'>['data'],
  'callId' | 'attempt' | 'status' | 'scope' | 'resultHash' | 'result'
>;

function lateEvents(known: KnownSession, answered: Answered, now: string): readonly SessionEvent[] {
  if (!Object.hasOwn(known.state.calls, answered.callId)) {
    const data = { ...answered, claimedEpoch: IMPORTED_EPOCH, agrees: null };
    return [{ type: 'ToolLateResultReceived', data }];
  }
  return reportLateResult(
    {
      type: 'ReportLateResult',
      commandId: answered.callId,
      now,
      claimedEpoch: IMPORTED_EPOCH,
      ...answered,
    },
    known.state,
    NOTHING_PAST,
  );
}
