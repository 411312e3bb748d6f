import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { SessionEventRecord } from '../domain/events.js';
import type { StreamPosition } from '../domain/events/positions.js';
import { callsIn } from '../domain/past.js';
import { segmentsBehind } from '../domain/shown.js';
import type { CallState, SessionState } from '../domain/state.js';
import { HistoryReader } from './history-reader.js';

export const EFFECTS_LISTED_MAX = 100;

export interface LastingEffects {
  /** Writes that took effect, or may have, in the order in which they were asked for. */
  readonly calls: readonly CallState[];
  /** How many more there are than are listed. */
  readonly more: number;
}

/** What the calls behind a place of a session's history have done in the world, or may have. */
export class ReadEffects extends Query<LastingEffects> {
  constructor(
    readonly tenantId: string,
    readonly state: SessionState,
    readonly behind: StreamPosition,
  ) {
    super();
  }
}

@QueryHandler(ReadEffects)
export class ReadEffectsHandler implements IQueryHandler<ReadEffects, LastingEffects> {
  constructor(private readonly history: HistoryReader) {}

  async execute({ tenantId, state, behind }: ReadEffects): Promise<LastingEffects> {
    const records: SessionEventRecord[] = [];
    for (const segment of segmentsBehind(state, behind)) {
      for await (const page of this.history.pages(tenantId, segment)) {
        records.push(...page.filter(({ event }) => 'callId' in event.data));
      }
    }
    const lasting = [...callsIn(records).values()].filter(lasts);
    const calls = lasting.slice(0, EFFECTS_LISTED_MAX);
    return { calls, more: lasting.length - calls.length };
  }
}

function lasts({ effect, status }: CallState): boolean {
  const isProvablyNothing = ['requested', 'skipped', 'failed', 'notApplied'].includes(status);
  return effect !== 'readOnly' && !isProvablyNothing;
}
