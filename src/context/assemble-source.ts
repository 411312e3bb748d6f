import { DELIVERIES_AT_ONCE_MAX } from '../domain/decide-claim.js';
import type { EventOf } from '../domain/events.js';
import type { FactPointer } from '../domain/events/positions.js';
import type { SessionState } from '../domain/state.js';
import type { AcceptedInput, ContextSource, PendingDelivery, Summary } from './context-source.js';
import { EventPool } from './event-pool.js';
import type { MissingEvents, SourceParts } from './source-parts.js';

/**
 * Names what the parts lack. Ask a second time when the `Compacted` event was among it, because
 * only that event names the open calls; what is missing after that does not exist.
 */
export function missingFrom(parts: SourceParts): MissingEvents {
  const pool = poolOf(parts);
  const { state } = parts;
  const positions = [
    ...(state.watermark === undefined ? [] : [state.watermark.at]),
    ...currentPointers(state).map((pointer) => pointer.at),
  ].filter((at) => pool.at(at) === undefined);
  const inputs = [...pool.deliveredInputs(), ...pendingIds(state)].filter(
    ({ sessionId, inputId }) => pool.input(sessionId, inputId) === undefined,
  );
  const calls = [...new Set([...openCallIds(pool, state), ...pool.earlierCallIds()])]
    .filter((callId) => pool.call(callId) === undefined)
    .map((callId) => ({ callId }));
  return { positions, inputs, calls, factsBefore: pool.factsBefore() };
}

export function assembleSource(parts: SourceParts): ContextSource {
  const { state } = parts;
  const pool = poolOf(parts);
  const facts = currentPointers(state).flatMap((pointer) => pool.fact(pointer) ?? []);
  return {
    sessionId: state.sessionId,
    revision: state.revision,
    records: pool.window,
    hidden: state.hidden,
    acceptedInputs: pool.deliveredInputs().flatMap(({ sessionId, inputId }): AcceptedInput[] => {
      const content = pool.input(sessionId, inputId);
      return content === undefined ? [] : [{ sessionId, inputId, content }];
    }),
    summary: summaryIn(pool, state),
    openCalls: openCallIds(pool, state).flatMap((callId) => pool.call(callId) ?? []),
    earlierCalls: pool.earlierCallIds().flatMap((callId) => pool.visibleCall(callId) ?? []),
    facts,
    prefixFacts: pool.prefixFacts(facts),
    deliverNext: pendingIds(state).flatMap(({ inputId }): PendingDelivery[] => {
      const content = pool.input(state.sessionId, inputId);
      return content === undefined ? [] : [{ inputId, content }];
    }),
    usageAnchor: state.usageAnchor,
    underestimates: state.underestimates,
  };
}

const pools = new WeakMap<SourceParts, EventPool>();

/** What is asked what it lacks is assembled next, if it lacked nothing. */
function poolOf(parts: SourceParts): EventPool {
  const pool = pools.get(parts) ?? new EventPool(parts);
  pools.set(parts, pool);
  return pool;
}

function currentPointers(state: SessionState): readonly FactPointer[] {
  return Object.values(state.facts).filter((fact) => !fact.retired);
}

/** Only the owner's next model call delivers anything; a claim delivers in its own append. */
function pendingIds(state: SessionState): readonly { sessionId: string; inputId: string }[] {
  const { run, sessionId } = state;
  if (run?.owned !== true || run.status !== 'active' || run.kind !== 'agent') return [];
  return state.pendingInputs
    .filter((input) => input.delivery === 'steer')
    .slice(0, DELIVERIES_AT_ONCE_MAX)
    .map(({ inputId }) => ({ sessionId, inputId }));
}

function summaryIn(pool: EventPool, state: SessionState): Summary | undefined {
  const compacted = compactedIn(pool, state);
  if (state.watermark === undefined || compacted === undefined) return undefined;
  const { at, keptFrom, compactionId } = state.watermark;
  const { summary: text, native } = compacted;
  return { compactionId, at, keptFrom, text, native };
}

function compactedIn(
  pool: EventPool,
  state: SessionState,
): EventOf<'Compacted'>['data'] | undefined {
  if (state.watermark === undefined) return undefined;
  const event = pool.at(state.watermark.at)?.event;
  return event?.type === 'Compacted' ? event.data : undefined;
}

function openCallIds(pool: EventPool, state: SessionState): readonly string[] {
  const openCalls: unknown = compactedIn(pool, state)?.openCalls;
  if (!Array.isArray(openCalls)) return [];
  return openCalls.filter((callId): callId is string => typeof callId === 'string');
}
