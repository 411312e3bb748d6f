import type { EventOf, SessionEvent } from '../../src/domain/events.js';
import type { Violated } from '../protocol/watched-call.js';
import type { HistoryWatch } from './history-watch.js';
import { DELEGATE_TOOL, type Service } from './service.js';

interface Child {
  readonly parentId: string;
  readonly callId: string;
  readonly detached: boolean;
  /** Since when the run that started it is known to be stopped. */
  stoppedSinceMs?: number;
}

type WatchOf = (sessionId: string) => HistoryWatch;

/** How long a child may go on after that: the reconciler looks at it once in some seconds. */
const STOP_REACHES_WITHIN_MS = 120_000;

/** Sessions that calls of other sessions have started (reconciliation protocol, §15.3). */
export class ChildrenWatch {
  private readonly children = new Map<string, Child>();

  constructor(
    private readonly watchOf: WatchOf,
    private readonly service: Service,
    private readonly violated: Violated,
  ) {}

  started(childId: string, parent: NonNullable<EventOf<'SessionStarted'>['data']['parent']>): void {
    const { sessionId: parentId, spawningCallId: callId = '', detached = false } = parent;
    this.children.set(childId, { parentId, callId, detached });
    const call = this.watchOf(parentId).stream.calls.get(callId);
    if (call === undefined) this.violated('15.3', 'a child was started by no call');
    else this.service.takesEffect(call.request.opKey);
  }

  /** What a parent is told of its child is true: the outcome of a call is the end of a run. */
  see(parentId: string, events: readonly SessionEvent[]): void {
    for (const event of events) {
      if (event.type !== 'ToolProbeRecorded' || event.data.verdict !== 'applied') continue;
      const { callId } = event.data;
      const { tool } = this.watchOf(parentId).stream.calls.get(callId)!.request;
      if (tool !== DELEGATE_TOOL.name) continue;
      const [childId] = this.childOf(parentId, callId) ?? [];
      if (childId === undefined || this.watchOf(childId).state.lastRun === undefined) {
        this.violated('15.3', 'a call was said to be done before its child was');
      }
    }
  }

  /** A stop reaches the children of the run that was stopped (§14), and no others. */
  check(nowMs: number): void {
    for (const [childId, child] of this.children) {
      const { run, lastRun } = this.watchOf(childId).state;
      if (child.detached || run === undefined || lastRun !== undefined) continue;
      if (run.status !== 'active' && run.status !== 'interrupted') continue;
      const parent = this.watchOf(child.parentId);
      const { runId } = parent.stream.calls.get(child.callId)!.request;
      if (runId === undefined || !parent.stoppedRuns.has(runId)) continue;
      child.stoppedSinceMs ??= nowMs;
      if (nowMs - child.stoppedSinceMs > STOP_REACHES_WITHIN_MS) {
        this.violated('15.3', 'a child goes on although the run that started it was stopped');
      }
    }
  }

  /** How many children have been stopped because the run that started them was. */
  get stoppedWithParent(): number {
    return [...this.children].filter(([childId, { parentId, callId }]) => {
      const parent = this.watchOf(parentId);
      const runId = parent.stream.calls.get(callId)?.request.runId ?? '';
      return parent.stoppedRuns.has(runId) && this.watchOf(childId).stoppedRuns.size > 0;
    }).length;
  }

  private childOf(parentId: string, callId: string): [string, Child] | undefined {
    return [...this.children].find(
      ([, child]) => child.parentId === parentId && child.callId === callId,
    );
  }
}
