import type { SessionEvent } from '../../domain/events.js';
import { isObject, textOf } from './log-line.js';

/** A call that may have started a subagent. */
export interface SpawnCall {
  readonly callId: string;
  readonly providerId: string;
  readonly prompt?: string;
  agentId?: string;
  answered: boolean;
  taken: boolean;
}

const SPAWN_TOOLS: ReadonlySet<string> = new Set(['Task', 'Agent']);

/** The calls of a session that start subagents, in order; fed with the session's events. */
export class SpawnCalls {
  private readonly calls = new Map<string, SpawnCall>();

  apply(event: SessionEvent): void {
    if (event.type === 'ToolCallRequested' && SPAWN_TOOLS.has(event.data.tool)) {
      const { callId, args } = event.data;
      const providerId = event.data.providerCallId ?? callId;
      const prompt = isObject(args) ? textOf(args['prompt']) : undefined;
      this.calls.set(callId, { callId, providerId, prompt, answered: false, taken: false });
    }
    if (event.type !== 'ToolResultRecorded' && event.type !== 'ToolLateResultReceived') return;
    const call = this.calls.get(event.data.callId);
    if (call === undefined) return;
    call.answered = true;
    const { details } = event.data.result;
    if (isObject(details)) call.agentId = textOf(details['agentId']);
  }

  /**
   * The call that started an agent: the one whose result names it, else the one with its prompt,
   * else the last one that is open, else none.
   */
  find(
    agent: { readonly agentId?: string; readonly prompt?: string },
    callOfAgent?: ReadonlyMap<string, string>,
  ): string | undefined {
    const { agentId, prompt } = agent;
    const free = [...this.calls.values()].filter((call) => !call.taken);
    const told = agentId === undefined ? undefined : callOfAgent?.get(agentId);
    const found =
      free.find((call) => call.providerId === told) ??
      free.find((call) => agentId !== undefined && call.agentId === agentId) ??
      free.find((call) => prompt !== undefined && call.prompt === prompt) ??
      free.findLast((call) => !call.answered);
    if (found !== undefined) found.taken = true;
    return found?.callId;
  }
}
