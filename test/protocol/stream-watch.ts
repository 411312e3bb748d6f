import type { Fence, SessionCommand } from '../../src/domain/commands.js';
import type { EventOf, SessionEvent } from '../../src/domain/events.js';
import { type Violated, WatchedCall } from './watched-call.js';

interface WatchedRun {
  readonly runId: string;
  owned: boolean;
  stopRequested: boolean;
  quarantined: boolean;
  takeovers: number;
  /** Recovery claims that have not come to settled progress. */
  fruitless: number;
  refundable: boolean;
}

const RECOVERY_ATTEMPTS_MAX = 10;
const BUSY: ReadonlySet<string> = new Set(['requested', 'running', 'unknown', 'retryAuthorized']);
const OWNED_STARTS = new Set(['ToolCallStarted', 'ModelCallStarted', 'CompactionStarted']);

/** Reads the stream as it grows and says so as soon as an invariant is broken. */
export class StreamWatch {
  readonly calls = new Map<string, WatchedCall>();
  readonly counts = new Map<string, number>();
  /** Runs that a user has stopped, ended or not. */
  readonly stoppedRuns = new Set<string>();
  private revision = -1;
  private epoch = 0;
  private token = '';
  private run: WatchedRun | undefined;
  private readonly waiting = new Set<string>();

  constructor(readonly violated: Violated) {}

  /** `decidedAt`: the revision of the state on which the command was decided. */
  see(command: SessionCommand, events: readonly SessionEvent[], decidedAt: number): void {
    if (decidedAt !== this.revision) this.violated('I-1', 'decided on another revision');
    this.checkFence(command, events);
    for (const event of events) {
      this.revision += 1;
      this.count(event);
      this.seeOne(command, event, events);
    }
  }

  private checkFence(command: SessionCommand, events: readonly SessionEvent[]): void {
    if (!('fence' in command)) return;
    if (events.every((event) => event.type === 'ToolConflictDetected')) return;
    if (this.isOwner(command.fence)) return;
    this.violated('I-2', `${command.type} of epoch ${command.fence.epoch} was accepted`);
  }

  isOwner({ epoch, claimTokenHash }: Fence): boolean {
    return epoch === this.epoch && claimTokenHash === this.token && this.run?.owned === true;
  }

  private seeOne(
    command: SessionCommand,
    event: SessionEvent,
    batch: readonly SessionEvent[],
  ): void {
    if (OWNED_STARTS.has(event.type)) this.checkOwned(event);
    if (event.type === 'ToolCompensationRequested') this.undoOrdered(event.data);
    const isTurn = event.type === 'ModelCallStarted' && event.data.purpose === 'turn';
    if (isTurn) this.checkModelMayGoOn();
    if (event.type === 'ToolCallRequested') return this.requested(event.data);
    if ('callId' in event.data) {
      const byTool = event.type === 'ToolResultRecorded' && event.data.status === 'noEffect';
      if (byTool && command.type !== 'RecordToolResult') {
        this.violated('I-9', `${command.type} said that a call did nothing`);
      }
      this.calls.get(event.data.callId)?.see(event, batch);
    }
    if (isProgress(event)) this.progress();
    this.seeRun(event);
    this.seeInput(event);
  }

  private checkOwned(event: SessionEvent): void {
    if (!this.run?.owned) this.violated('I-3', `${event.type} outside of an open epoch`);
    if (this.run?.stopRequested) this.violated('I-20', `${event.type} after a stop`);
  }

  private seeRun(event: SessionEvent): void {
    switch (event.type) {
      case 'RunClaimed':
        return this.claimed(event.data);
      case 'RunInterrupted':
      case 'SessionReleased':
        this.run!.owned = false;
        return;
      case 'SessionQuarantined':
        this.run!.owned = false;
        this.run!.quarantined = true;
        return;
      case 'SessionResumed':
        if (this.run !== undefined && event.data.cause === 'command') {
          Object.assign(this.run, { quarantined: false, fruitless: 0, takeovers: 0 });
        }
        return;
      case 'StopRequested':
        this.run!.stopRequested = true;
        this.stoppedRuns.add(event.data.runId);
        if (event.data.dropPendingInputs) this.waiting.clear();
        return;
      case 'RunCompleted':
      case 'RunFailed':
      case 'RunStopped':
        return this.ended(event.data.runId);
      default:
    }
  }

  private claimed(data: EventOf<'RunClaimed'>['data']): void {
    if (data.epoch !== this.epoch + 1) this.violated('I-1', `epoch ${data.epoch} again`);
    if (this.run !== undefined && this.run.runId !== data.runId) {
      this.violated('I-5', 'a second run while one is open');
    }
    if (this.run?.quarantined) this.violated('I-21', 'a quarantined run was claimed');
    if (this.run?.stopRequested) this.violated('I-20', 'a stopped run was claimed');
    this.epoch = data.epoch;
    this.token = data.claimTokenHash;
    this.run ??= {
      runId: data.runId,
      owned: true,
      stopRequested: false,
      quarantined: false,
      takeovers: 0,
      fruitless: 0,
      refundable: false,
    };
    this.run.owned = true;
    this.run.refundable = data.reason === 'takeover';
    if (data.reason !== 'takeover') return;
    this.run.takeovers += 1;
    this.run.fruitless += 1;
    if (this.run.fruitless > RECOVERY_ATTEMPTS_MAX) {
      this.violated('I-21', 'more recovery attempts than the budget');
    }
  }

  private ended(runId: string): void {
    if (this.run?.runId !== runId) this.violated('I-5', `run ${runId} ended twice`);
    this.run = undefined;
    for (const call of this.calls.values()) {
      const left = ['requested', 'running', 'retryAuthorized'].includes(call.status);
      if (left && call.request.runId === runId) {
        this.violated('I-31', `a ${call.status} call was left by a run that has ended`);
      }
    }
  }

  private progress(): void {
    if (!this.run?.refundable) return;
    this.run.refundable = false;
    this.run.fruitless -= 1;
  }

  private requested(data: EventOf<'ToolCallRequested'>['data']): void {
    if (this.calls.has(data.callId)) this.violated('I-10', 'requested twice');
    // Two reads do no harm; every other tool of this world has its twin guard on.
    const isTwin = [...this.calls.values()].some(
      ({ request, status, isOpen }) =>
        data.effect !== 'readOnly' &&
        isOpen &&
        status !== 'requested' &&
        request.messageId !== data.messageId &&
        request.tool === data.tool &&
        request.argsHash === data.argsHash,
    );
    this.calls.set(data.callId, new WatchedCall(data, isTwin, this.violated));
  }

  /** Ordered again it is the same call, with one more order by a person. */
  private undoOrdered(data: EventOf<'ToolCompensationRequested'>['data']): void {
    const { compensationCallId, runId, tool, manifest, opKey, argsHash } = data;
    const known = this.calls.get(compensationCallId);
    if (known !== undefined) {
      known.humanOrders += 1;
      known.request = { ...known.request, runId };
      if (known.request.opKey !== opKey) this.violated('I-15', 'undone under another key');
      return;
    }
    const { effect, timeoutMs, maxFlightMs, keyWindowMs, notFoundIsFinalAfterMs } = manifest;
    const timing = { timeoutMs, maxFlightMs, keyWindowMs, notFoundIsFinalAfterMs };
    const request = { runId, messageId: '', tool, effect, timing, opKey, argsHash };
    this.calls.set(compensationCallId, new WatchedCall(request, false, this.violated));
  }

  /** Not before every automatic step for its last calls has been taken (§8.1, §9.6). */
  private checkModelMayGoOn(): void {
    for (const { status, holds, request } of this.calls.values()) {
      const isOpen = BUSY.has(status) || (status === 'awaitingHuman' && holds);
      if ((isOpen && request.runId === this.run?.runId) || status === 'compensating') {
        this.violated('8.1', `the model was asked while a call was ${status}`);
      }
    }
  }

  private seeInput(event: SessionEvent): void {
    if (event.type === 'InputAccepted') this.waiting.add(event.data.inputId);
    const gone = event.type === 'InputDelivered' || event.type === 'InputWithdrawn';
    if (gone && !this.waiting.delete(event.data.inputId)) {
      this.violated('I-24', `input ${event.data.inputId} was not waiting`);
    }
  }

  count(event: SessionEvent): void {
    const isOfCost = event.type === 'SessionQuarantined' && event.data.budget === 'cost';
    this.happened(isOfCost ? 'SessionQuarantined(cost)' : event.type);
  }

  happened(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  /** Every dispatch is preceded by its permit, and each permit is used at most once. */
  dispatched(callId: string, attempt: number): void {
    const call = this.calls.get(callId);
    const permitted = call?.starts.some((start) => start.attempt === attempt);
    if (!permitted) this.violated('I-6', `attempt ${attempt} was sent without a permit`);
    if (call!.dispatched.has(attempt)) this.violated('I-6', 'a permit was used twice');
    call!.dispatched.add(attempt);
  }

  /** A report that was accepted is in the log; one report of each attempt. */
  reported(callId: string, attempt: number): void {
    if (!this.calls.get(callId)?.results.has(attempt)) {
      this.violated('I-16', `the result of attempt ${attempt} was lost`);
    }
  }
}

function isProgress(event: SessionEvent): boolean {
  switch (event.type) {
    case 'ToolResultRecorded':
    case 'ToolLateResultReceived':
    case 'Compacted':
      return true;
    case 'AssistantMessageRecorded':
      return event.data.final;
    default:
      return false;
  }
}
