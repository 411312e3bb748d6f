import { Inject, Injectable } from '@nestjs/common';
import { CODEC, EVENT_STORE } from '../tokens.js';
import type { CommandOf } from '../domain/commands.js';
import { callKey, idKey } from '../domain/past.js';
import { followsParent, isStoppedWithParent } from '../domain/spawning.js';
import type { SessionState } from '../domain/state.js';
import { derivedId, sessionStream } from '../identity/derived-ids.js';
import type { EventCodec } from '../storage/event-codec.js';
import type { EventStore } from '../storage/event-store.js';
import { SessionRepository } from './session-repository.js';

/**
 * A user's stop reaches the children: what a run has started stops with it, unless it is detached
 * (reconciliation protocol, §14 and §15.3). Each child looks at its parent, so no list of children
 * can be out of date. Here is found what that is decided on.
 */
@Injectable()
export class ParentStop {
  constructor(
    private readonly sessions: SessionRepository,
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(CODEC) private readonly codec: EventCodec,
  ) {}

  async isStopped(tenantId: string, child: SessionState): Promise<boolean> {
    const { parent } = child;
    if (parent === undefined || !followsParent(child)) return false;
    const stream = sessionStream(tenantId, parent.sessionId);
    const state = await this.sessions.loadCurrent(stream);
    const runId = await this.runOf(stream, parent.spawningCallId);
    if (runId === undefined) return isStoppedWithParent(state, undefined);
    const wasStopped = state.run?.runId !== runId && (await this.wasStopped(stream, runId));
    return isStoppedWithParent(state, { runId, wasStopped });
  }

  private async wasStopped(stream: string, runId: string): Promise<boolean> {
    const ends = await this.events.findByKeys(stream, [idKey(runId)]);
    return ends.some(({ type }) => type === 'RunStopped');
  }

  private async runOf(stream: string, callId: string | undefined): Promise<string | undefined> {
    if (callId === undefined) return undefined;
    const found = await this.events.findByKeys(stream, [callKey(callId)]);
    const [requested] = found.map((event) => this.codec.eventOf(event));
    return requested?.type === 'ToolCallRequested' ? requested.data.runId : undefined;
  }
}

export function stopWithParent(
  runId: string,
  now: string,
  lease: CommandOf<'StopRun'>['lease'],
): CommandOf<'StopRun'> {
  return {
    type: 'StopRun',
    commandId: derivedId('stopped with its parent', runId),
    now,
    runId,
    dropPendingInputs: false,
    lease,
  };
}
