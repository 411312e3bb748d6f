import type { EventOf } from './events.js';
import type {
  EscalationDecision,
  ProbeEvidence,
  ResultScope,
  ResultStatus,
  ToolResult,
} from './events/tool-events.js';
import type { ProbeAnswer } from './http-probe.js';
import type { Common } from './session-commands.js';

/** Ids and hashes are derived outside of the domain. */
export type OrderedCompensation = Omit<EventOf<'ToolCompensationRequested'>['data'], 'callId'>;

/** What settles a call without owning its session. */
export type SettlingCommands =
  | (Common & {
      readonly type: 'ReportLateResult';
      readonly callId: string;
      readonly attempt: number;
      readonly claimedEpoch: number;
      readonly status: ResultStatus;
      readonly scope?: ResultScope;
      readonly resultHash: string;
      readonly result: ToolResult;
      /** Of a call that undoes another. */
      readonly nothingToUndo?: boolean;
    })
  | (Common & {
      readonly type: 'RecordProbe';
      readonly callId: string;
      readonly source: 'http' | 'graphql' | 'handler' | 'operator';
      /** When the query was sent; counts for "not found is final" (protocol, C6). */
      readonly requestedAt: string;
      /** False: on the monotonic clock the time is not over after which "not found" counts (C2). */
      readonly hasWaited?: boolean;
      readonly answer: ProbeAnswer;
      readonly evidence: ProbeEvidence;
    })
  /** A try to make the operation key unusable at the target, and whether it was confirmed. */
  | (Common & {
      readonly type: 'RecordVoid';
      readonly callId: string;
      readonly requestedAt: string;
      readonly voided: boolean;
      readonly evidence: ProbeEvidence;
    })
  | (Common & {
      readonly type: 'DecideEscalation';
      readonly callId: string;
      /** The question that the person saw: a later one is not answered by this. */
      readonly escalationId?: string;
      readonly decision: EscalationDecision;
      /** Of `compensate`: the call that would undo it; absent where no such tool is known. */
      readonly compensation?: OrderedCompensation;
      readonly note?: string;
      readonly evidenceRef?: string;
    })
  | (Common & {
      readonly type: 'DecideApproval';
      readonly callId: string;
      readonly decision: 'allow' | 'deny';
      readonly note?: string;
    })
  /** Nothing may raise a call's class; an operator may lower it. */
  | (Common & {
      readonly type: 'LowerToolCall';
      readonly callId: string;
      readonly note?: string;
    })
  /** One automatic step for a call whose outcome is not known (`next-step.ts`). */
  | (Common & {
      readonly type: 'ReconcileCall';
      readonly callId: string;
      readonly escalationId: string;
      /** The call that would undo it, where its failed run owes that; absent: nothing is known. */
      readonly compensation?: OrderedCompensation;
      /** By the later of wall and monotonic clock: windows are over by it (C3). */
      readonly latestNow?: string;
    });
