import { Rejection } from '../../domain/rejection.js';
import { sessionStream } from '../../identity/derived-ids.js';
import type { EventStore } from '../../storage/event-store.js';

/** A moment of the log: everything up to a position, or recorded up to a time. */
export type Moment =
  | { readonly position: bigint }
  /** ISO 8601 in UTC, by the clock that recorded each event. */
  | { readonly time: string };

const FORM =
  'version:<revision of the session>, position:<position of the log>, or a time such as ' +
  '2026-01-31T12:00:00Z';
const instantPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** @throws Rejection when `text` names no moment, or a version that the session does not have. */
export async function momentOf(
  text: string,
  events: EventStore,
  tenantId: string,
  sessionId: string,
): Promise<Moment> {
  const position = /^position:(\d{1,19})$/.exec(text)?.[1];
  if (position !== undefined) return { position: BigInt(position) };
  const version = /^version:(\d{1,15})$/.exec(text)?.[1];
  if (version !== undefined) {
    const from = Number(version);
    const [event] = await events.read(sessionStream(tenantId, sessionId), { from, maxCount: 1 });
    if (event !== undefined) return { position: event.position };
    throw new Rejection('invalid_request', `session ${sessionId} has no version ${version}`, {
      parameter: 'asOf',
    });
  }
  const timeMs = instantPattern.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(timeMs)) return { time: new Date(timeMs).toISOString() };
  throw new Rejection('invalid_request', `asOf is ${FORM}, not "${text.slice(0, 64)}"`, {
    parameter: 'asOf',
  });
}

/** Whether what was recorded then and there is part of the moment. */
export function holds(
  moment: Moment | undefined,
  recorded: { readonly position: string; readonly recordedAt: string },
): boolean {
  if (moment === undefined) return true;
  if ('position' in moment) return BigInt(recorded.position) <= moment.position;
  return recorded.recordedAt <= moment.time;
}
