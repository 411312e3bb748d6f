/* @generated from test/support/session-life.graphql: npm run generate writes it. */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
export type AcceptInputInput = {
  /** Text, or a list of text, image and document blocks. */
  content: unknown;
  /** steer: at the next model call. queue: a run of its own, when this one is over. */
  delivery?: PendingInputDelivery | null | undefined;
  /** Make it yourself to be able to retry. Default: made of the Idempotency-Key, or a new UUID. */
  inputId?: string | null | undefined;
  /** false: only leave it here; wake no worker and lift no stop. */
  resume?: boolean | null | undefined;
  /** Only "user"; here so that a system message gets advice instead of a place. */
  role?: AcceptInputRole | null | undefined;
};

export type AcceptInputRole =
  | 'user';

export type AgentProfileInput = {
  /** Model id. */
  model?: string | null | undefined;
  /** Name of the agent program. */
  name: string;
  /** Model provider, as in OTel. */
  provider?: string | null | undefined;
  /** Settings that reproduce a run. No secrets. */
  settings?: unknown;
  /** Its version. */
  version: string;
};

export type ClaimRunInput = {
  /** A new random secret for this claim. Keep it: every owner request needs it. */
  claimToken: string;
  /** Go on although tools of open calls are missing or promise something else. */
  confirmDifferences?: boolean | null | undefined;
  /** Operator: take it although its lease is live. */
  force?: boolean | null | undefined;
  /** compaction: a run without inputs, to compact a resting session. */
  kind?: ClaimRunKind | null | undefined;
  /** Version of your agent program. A difference from the last claim is reported. */
  profileVersion?: string | null | undefined;
  /** Id of a run that this claim starts. Default: a new UUID. */
  runId?: string | null | undefined;
  /** The tools that you can call: no other gets a permit. Default: any. */
  toolNames?: Array<string> | null | undefined;
  /** Name of the worker, shown to others while it holds the session. */
  workerId: string;
};

export type ClaimRunKind =
  | 'agent'
  | 'compaction';

export type CompleteRunInput = {
  /** The secret that you made for your claim; only its hash is stored. */
  claimToken: string;
  /** Epoch of your claim. */
  epoch: number;
};

/** Marks for the prompt cache, at most four, behind tools and system, facts and summary, and the newest stable messages; for anthropic, other formats have none. `ttl`: 5m or 1h. */
export type ContextCacheInput = {
  ttl?: ContextCacheTtl | null | undefined;
};

export type ContextCacheTtl =
  | '_1h'
  | '_5m';

export type ContextFormat =
  | 'ai_sdk'
  | 'anthropic'
  | 'gemini'
  | 'langchain'
  | 'neutral'
  | 'openai_chat'
  | 'openai_responses';

export type ContextInput = {
  /** Most input tokens. Absent: nothing is cut. */
  budgetTokens?: number | null | undefined;
  /** Marks for the prompt cache, at most four, behind tools and system, facts and summary, and the newest stable messages; for anthropic, other formats have none. `ttl`: 5m or 1h. */
  cache?: ContextCacheInput | null | undefined;
  /** Whose shape. */
  format?: ContextFormat | null | undefined;
  /** System instructions, as they are now. */
  instructions?: string | null | undefined;
  /** Model that will get it. */
  model?: string | null | undefined;
  /** What is called now; stands once, at the tail. Default: nothing. */
  now?: string | null | undefined;
  /** Quirks of server and model, as the provider rules name them. */
  options?: unknown;
  /** Provider that will get it. */
  provider?: string | null | undefined;
  /** Tool definitions in the provider's shape; passed on and counted. */
  tools?: unknown;
};

export type ConversationItemKind =
  | 'assistant'
  | 'compaction'
  | 'facts'
  | 'revert'
  | 'revertCleared'
  | 'toolCall'
  | 'user';

export type ForkSessionInput = {
  /** The last revision that stays. Give this or `messageId`. */
  at?: number | null | undefined;
  /** Of a fork: the ancestor whose revision `at` is. Default: the session that is named in the path. */
  atSession?: string | null | undefined;
  /** Make it yourself to be able to retry. Default: made of the Idempotency-Key, or a new UUID. */
  forkId?: string | null | undefined;
  /** In place of the parent's labels. */
  labels?: unknown;
  /** A message of the conversation, a user's or an answer; see `side`. */
  messageId?: string | null | undefined;
  /** As for a new session. */
  recoveryMode?: SessionRecoveryMode | null | undefined;
  /** before: what comes before the message stays. through: the message stays too, an answer with the results of its tool calls. With `at`: a revision between an answer and the results of its calls is moved to the start or the end of that group; by default it stays where it is. */
  side?: ForkSessionSide | null | undefined;
  /** Shown in lists. */
  title?: string | null | undefined;
};

export type ForkSessionSide =
  | 'before'
  | 'through';

export type LateToolResultScope =
  | 'attempt'
  | 'operation';

export type LateToolResultStatus =
  | 'completed'
  | 'noEffect';

export type OpenCallEntryEffect =
  | 'keyedWrite'
  | 'opaqueWrite'
  | 'queryableWrite'
  | 'readOnly';

export type ParentEdgeKind =
  | 'continuation'
  | 'subagent';

export type ParentInput = {
  /** The secret that you made for that claim. */
  claimToken?: string | null | undefined;
  /** It goes on when the run that started it is stopped. Default: it stops with it. */
  detached?: boolean | null | undefined;
  /** Kind of child. */
  edge: ParentEdgeKind;
  /** Of your claim of the parent: a stale owner starts no session. */
  epoch?: number | null | undefined;
  /** The parent session. */
  sessionId: string;
  /** The tool call that starts this subagent. It needs epoch and claimToken of your claim of the parent, and gives the session its id: one for each call. */
  spawningCallId?: string | null | undefined;
};

export type PendingInputDelivery =
  | 'queue'
  | 'steer';

export type ProblemCode =
  /** The outcome is decided */
  | 'already_decided'
  /** The tool call is running */
  | 'already_running'
  /** It is not known whether this was written */
  | 'append_unknown'
  /** Somebody has to allow the call first */
  | 'approval_pending'
  /** Stored content is damaged */
  | 'artifact_damaged'
  /** No attempts are left */
  | 'attempts_exhausted'
  /** A budget has nothing left for this */
  | 'budget_exhausted'
  /** The token budget is too small */
  | 'budget_too_small'
  /** A budget applies, and the price is not known */
  | 'budget_unpriced'
  /** A compaction is open */
  | 'compaction_open'
  /** No valid model input can be made */
  | 'context_invalid'
  /** The model input cannot be shown any more */
  | 'context_lost'
  /** The context is out of date */
  | 'context_stale'
  /** A stored event is damaged or was changed */
  | 'event_damaged'
  /** Not allowed */
  | 'forbidden'
  /** Other sessions are forks of this one */
  | 'has_descendants'
  /** The id is in use */
  | 'id_in_use'
  /** An Idempotency-Key header is needed */
  | 'idempotency_key_required'
  /** The Idempotency-Key was used before */
  | 'idempotency_key_reused'
  /** Open calls need what this worker has not */
  | 'incompatible_setup'
  /** The call belongs to another session */
  | 'inherited_call'
  /** Holdfast failed */
  | 'internal_error'
  /** The tool manifest contradicts itself */
  | 'invalid_manifest'
  /** The request is not valid */
  | 'invalid_request'
  /** Not possible in this state */
  | 'invalid_state'
  /** A limit would be exceeded */
  | 'limit_exceeded'
  /** The owner cannot call this tool */
  | 'manifest_unavailable'
  /** The method is not possible here */
  | 'method_not_allowed'
  /** Nothing is known that would undo the call */
  | 'no_compensation'
  /** Not found */
  | 'not_found'
  /** The tool call was never started */
  | 'not_started'
  /** There is nothing to compact */
  | 'nothing_to_compact'
  /** There is nothing to run */
  | 'nothing_to_run'
  /** Tool calls are open */
  | 'open_calls'
  /** The outcome of an earlier attempt is unknown */
  | 'outcome_unknown'
  /** Another worker holds the session */
  | 'owned'
  /** The session has changed */
  | 'precondition_failed'
  /** The content has no such range */
  | 'range_not_satisfiable'
  /** The read model has not caught up yet */
  | 'read_model_stale'
  /** The request took too long */
  | 'request_timeout'
  /** The attempt has another result */
  | 'result_conflict'
  /** The time for the retry is over */
  | 'retry_expired'
  /** The run has ended */
  | 'run_ended'
  /** A run is open */
  | 'run_open'
  /** A user stopped the run */
  | 'run_stopped'
  /** The session's content was erased */
  | 'session_erased'
  /** The key of the session is missing */
  | 'session_key_missing'
  /** The session is quarantined */
  | 'session_quarantined'
  /** A user stopped the session */
  | 'session_stopped'
  /** Not the current attempt */
  | 'stale_attempt'
  /** You do not own this session any more */
  | 'stale_epoch'
  /** The store cannot be reached */
  | 'store_unavailable'
  /** The request is too large */
  | 'too_large'
  /** Too many requests */
  | 'too_many_requests'
  /** The tool call exists with other content */
  | 'tool_call_conflict'
  /** No valid key */
  | 'unauthenticated'
  /** Tool calls have no known outcome */
  | 'unknown_outcomes'
  /** No model has read these inputs yet */
  | 'unseen_inputs'
  /** The content type is not read here */
  | 'unsupported_media_type'
  /** The model call has another usage */
  | 'usage_conflict'
  /** Other writers were faster */
  | 'version_conflict'
  /** Tool calls wait for a decision */
  | 'waiting_calls';

export type RecordToolResultInput = {
  /** The attempt that answered. */
  attempt?: number | null | undefined;
  /** The secret that you made for your claim. */
  claimToken: string;
  /** Text, or a list of text, image and document blocks. */
  content: unknown;
  /** Structured data kept beside the answer. */
  details?: unknown;
  /** How long the call took. */
  durationMs?: number | null | undefined;
  /** Epoch of your claim. */
  epoch: number;
  /** The target's id of the operation. */
  externalRef?: string | null | undefined;
  /** The answer is an error. */
  isError?: boolean | null | undefined;
  /** Of a call that undoes another: it found nothing to undo. */
  nothingToUndo?: boolean | null | undefined;
  /** Of noEffect: does it speak of this attempt, or of the whole operation? */
  scope?: LateToolResultScope | null | undefined;
  /** completed: the tool ran and answered (also with an error). noEffect: it or its target refused before doing anything. A timeout is neither: report it as unknown. */
  status?: LateToolResultStatus | null | undefined;
};

export type RedactionPatternInput = {
  /** Whether case makes no difference. */
  ignoreCase?: boolean | null | undefined;
  /** Stands in the mask. No name of a built-in rule. */
  name: string;
  /** What to mask, in the syntax of RE2: no look-around, no back-references, so that it takes linear time on any text. */
  pattern: string;
};

export type SessionRecoveryMode =
  | 'auto'
  | 'manual';

export type SessionSummaryEdgeKind =
  | 'continuation'
  | 'fork'
  | 'subagent';

export type SessionsStatus =
  | 'erased'
  | 'erasing'
  | 'idle'
  | 'owned'
  | 'scheduled'
  | 'stopped'
  | 'waiting';

export type SettleModelCallInput = {
  /** Shape of `response` or `usage`, when it cannot be seen: messages, chat, … */
  api?: string | null | undefined;
  /** The secret that you made for your claim; only its hash is stored. */
  claimToken: string;
  /** Epoch of your claim. */
  epoch: number;
  /** The provider's error. */
  error?: string | null | undefined;
  /** The message in neutral blocks, instead of `response`. */
  message?: Array<unknown> | null | undefined;
  /** The model that answered. */
  model?: string | null | undefined;
  /** completed: the answer is whole. notSent: it provably never left. providerError: refused before any output. stopped: aborted on request. */
  outcome?: SettleModelCallOutcome | null | undefined;
  /** The provider's response body as it is. Message, tool calls, usage and cost are read from it. */
  response?: unknown;
  /** The provider's id of the response; names the request for costs. */
  responseId?: string | null | undefined;
  /** The provider's usage object, when there is no `response`. */
  usage?: unknown;
};

export type SettleModelCallOutcome =
  | 'completed'
  | 'notSent'
  | 'providerError'
  | 'stopped';

export type StandingStoppedBy =
  | 'budget'
  | 'completed'
  | 'crash'
  | 'failed'
  | 'import'
  | 'neverStarted'
  | 'nothing'
  | 'release'
  | 'shutdown'
  | 'user';

export type StartModelCallInput = {
  /** The secret that you made for your claim; only its hash is stored. */
  claimToken: string;
  /** From the context that is sent: `contextId`. */
  contextId?: string | null | undefined;
  /** From the context that is sent: `delivers`. These waiting inputs become messages. */
  delivers?: Array<string> | null | undefined;
  /** Epoch of your claim. */
  epoch: number;
  /** From the context that is sent: `inputRevision`. Default: now. */
  inputRevision?: number | null | undefined;
  /** Tokens of the prompt: `estimatedTokens` of the context. Budgets hold it, and where the provider counts more, later estimates for the model are higher. Default of budgets: what the conversation had after the last answer. */
  inputTokens?: number | null | undefined;
  /** The most output that you ask the provider for: what budgets hold for it. Default: 4096. */
  maxOutputTokens?: number | null | undefined;
  /** Id of the message that this call will produce. Default: a new UUID. */
  messageId?: string | null | undefined;
  /** The model asked for. */
  model?: string | null | undefined;
  /** Make it yourself to be able to retry. Default: made of the Idempotency-Key, or a new UUID. */
  modelCallId?: string | null | undefined;
  /** Provider: anthropic, openai, … */
  provider?: string | null | undefined;
  /** What the call is for. */
  purpose?: StartModelCallPurpose | null | undefined;
  /** The service tier asked for. */
  tier?: string | null | undefined;
  /** How long its answer may take, in milliseconds. Default: 600000. A run whose owner records nothing after that is quarantined (budget `noProgress`). */
  timeoutMs?: number | null | undefined;
};

export type StartModelCallPurpose =
  | 'advisor'
  | 'compaction'
  | 'eval'
  | 'other'
  | 'title'
  | 'turn';

export type StartSessionInput = {
  /** For filters and cost reports. Nothing personal. */
  labels?: unknown;
  /** Costs flow up to it. */
  parent?: ParentInput | null | undefined;
  /** Which agent runs here. */
  profile?: AgentProfileInput | null | undefined;
  /** auto: a lost run may be recovered by any worker. manual: only when asked for. Default: as the server is configured, auto unless it says otherwise. */
  recoveryMode?: SessionRecoveryMode | null | undefined;
  /** Make it yourself to be able to retry. Default: made of the spawning call, of the Idempotency-Key, or a new UUID. */
  sessionId?: string | null | undefined;
  /** Shown in lists. */
  title?: string | null | undefined;
  /** What the tools promise. A tool nobody describes is an opaqueWrite. */
  tools?: Array<ToolInput> | null | undefined;
};

export type StartToolCallInput = {
  /** The attempt you ask for: 1, or the one a retry was authorized for. */
  attempt?: number | null | undefined;
  /** The secret that you made for your claim; only its hash is stored. */
  claimToken: string;
  /** Epoch of your claim. */
  epoch: number;
};

export type ToolInput = {
  /** Who must allow each call before its first attempt, within escalationDueMs. Absent: nobody. */
  approval?: string | null | undefined;
  /** The keyedWrite that undoes it, and does nothing where there is nothing to undo: a person can order it when the outcome is unknown. */
  compensate?: string | null | undefined;
  /** Undo what a run has done with it, without being asked, when that run fails. Default: only people order it. */
  compensateWhenRunFails?: boolean | null | undefined;
  /** What a repetition may do. Default: opaqueWrite. */
  effect?: OpenCallEntryEffect | null | undefined;
  /** Who is asked when nobody else can tell. Default: operator. */
  escalateTo?: string | null | undefined;
  /** How long that person has. */
  escalationDueMs?: number | null | undefined;
  /** How the server asks the target by itself: {method, urlTemplate, headers?, rules: [{status, pointer?, equals? | in? | exists?, answer}], externalRefPointer?, graphql?}. See the guide on tools. */
  httpProbe?: unknown;
  /** Where the worker puts the operation key: {header: "Idempotency-Key"} or {body: "/key"}, a JSON pointer. Every keyedWrite says so; the permit repeats it. */
  keyField?: unknown;
  /** keyedWrite: how long the target remembers the operation key. */
  keyWindowMs?: number | null | undefined;
  /** Attempts of one call. */
  maxAttempts?: number | null | undefined;
  /** Longest time after the start at which a request can still take effect. */
  maxFlightMs?: number | null | undefined;
  /** Status queries of one call. */
  maxProbes?: number | null | undefined;
  /** The name that the model calls. */
  name: string;
  /** Instead of httpProbe: the name of a probe that the program around Holdfast has given it. */
  namedProbe?: string | null | undefined;
  /** When "not found" proves that nothing happened. Absent: never. */
  notFoundIsFinalAfterMs?: number | null | undefined;
  /** While an outcome is unknown: hold the run, or tell the model and go on. */
  onUnknown?: ToolOnUnknown | null | undefined;
  /** The target can be asked for the outcome. */
  probe?: boolean | null | undefined;
  /** Masked in its arguments, results and evidence, and in the messages that call it, beyond what is masked everywhere: see the guide on secrets. */
  redact?: Array<RedactionPatternInput> | null | undefined;
  /** Larger results are refused. Default: 8 MiB. */
  resultBytesMax?: number | null | undefined;
  /** After "it did not happen": try again, or only tell the model. Default: try again. */
  retryWhenNotApplied?: boolean | null | undefined;
  /** Hard time limit of one call. */
  timeoutMs?: number | null | undefined;
  /** Skip an equal call while an earlier one has no known outcome. */
  twinGuard?: boolean | null | undefined;
  /** How the server makes an operation key unusable: {method, urlTemplate, headers?, voidedStatus}. */
  voidByKey?: unknown;
};

export type ToolOnUnknown =
  | 'hold'
  | 'tell';

export type StartSessionMutationVariables = Exact<{
  input: StartSessionInput;
}>;


export type StartSessionMutation = { startSession:
    | { __typename: 'Problem', code: ProblemCode, detail: string }
    | { __typename: 'Receipt', sessionId: string, revision: number, position: string }
   };

export type AcceptInputMutationVariables = Exact<{
  sessionId: string | number;
  input: AcceptInputInput;
}>;


export type AcceptInputMutation = { acceptInput:
    | { __typename: 'InputReceipt', inputId: string, status: string }
    | { __typename: 'Problem', code: ProblemCode, detail: string }
   };

export type ClaimRunMutationVariables = Exact<{
  sessionId: string | number;
  input: ClaimRunInput;
}>;


export type ClaimRunMutation = { claimRun:
    | { __typename: 'Claim', runId: string, epoch: number, inputIds: Array<string>, unresolved: { nodes: Array<{ callId: string }> } }
    | { __typename: 'Problem', code: ProblemCode, detail: string, facts: unknown }
   };

export type BuiltContextQueryVariables = Exact<{
  sessionId: string | number;
  input: ContextInput;
}>;


export type BuiltContextQuery = { builtContext: { contextId: string, inputRevision: number, delivers: Array<string>, messages: Array<unknown>, format: ContextFormat } };

export type StartModelCallMutationVariables = Exact<{
  sessionId: string | number;
  input: StartModelCallInput;
}>;


export type StartModelCallMutation = { startModelCall:
    | { __typename: 'ModelCallStarted', modelCallId: string }
    | { __typename: 'Problem', code: ProblemCode, detail: string }
   };

export type SettleModelCallMutationVariables = Exact<{
  sessionId: string | number;
  modelCallId: string | number;
  input: SettleModelCallInput;
}>;


export type SettleModelCallMutation = { settleModelCall:
    | { __typename: 'Problem', code: ProblemCode, detail: string }
    | { __typename: 'Settled', revision: number, cost: string | null, calls: { nodes: Array<{ callId: string, tool: string, state: string }> } }
   };

export type StartToolCallMutationVariables = Exact<{
  sessionId: string | number;
  callId: string | number;
  input: StartToolCallInput;
}>;


export type StartToolCallMutation = { startToolCall:
    | { __typename: 'Permit', attempt: number, call: { opKey: string } | null }
    | { __typename: 'Problem', code: ProblemCode, detail: string }
   };

export type RecordToolResultMutationVariables = Exact<{
  sessionId: string | number;
  callId: string | number;
  input: RecordToolResultInput;
}>;


export type RecordToolResultMutation = { recordToolResult:
    | { __typename: 'CallReceipt', call: { state: string } | null }
    | { __typename: 'Problem', code: ProblemCode, detail: string }
   };

export type CompleteRunMutationVariables = Exact<{
  sessionId: string | number;
  runId: string | number;
  input: CompleteRunInput;
}>;


export type CompleteRunMutation = { completeRun:
    | { __typename: 'Problem', code: ProblemCode, detail: string }
    | { __typename: 'Receipt', position: string }
   };

export type ForkSessionMutationVariables = Exact<{
  sessionId: string | number;
  input: ForkSessionInput;
}>;


export type ForkSessionMutation = { forkSession:
    | { __typename: 'Problem', code: ProblemCode, detail: string }
    | { __typename: 'Receipt', sessionId: string, position: string }
   };

export type SessionQueryVariables = Exact<{
  sessionId: string | number;
  atLeast: string;
}>;


export type SessionQuery = { session: { status: SessionsStatus, counters: unknown, standing: { stoppedBy: StandingStoppedBy, mayContinue: boolean }, cost: { inclusive: { calls: number, amounts: { nodes: Array<{ currency: string, amount: string }> } } }, children: { nodes: Array<{ sessionId: string, edge: SessionSummaryEdgeKind | null }> }, messages: { nodes: Array<{ kind: ConversationItemKind, preview: string, status: string | null }>, pageInfo: { hasNextPage: boolean } }, events: { nodes: Array<{ type: string }> } } };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}

export const StartSessionDocument = new TypedDocumentString(`
    mutation StartSession($input: StartSessionInput!) {
  startSession(input: $input) {
    __typename
    ... on Receipt {
      sessionId
      revision
      position
    }
    ... on Problem {
      code
      detail
    }
  }
}
    `) as unknown as TypedDocumentString<StartSessionMutation, StartSessionMutationVariables>;
export const AcceptInputDocument = new TypedDocumentString(`
    mutation AcceptInput($sessionId: ID!, $input: AcceptInputInput!) {
  acceptInput(sessionId: $sessionId, input: $input) {
    __typename
    ... on InputReceipt {
      inputId
      status
    }
    ... on Problem {
      code
      detail
    }
  }
}
    `) as unknown as TypedDocumentString<AcceptInputMutation, AcceptInputMutationVariables>;
export const ClaimRunDocument = new TypedDocumentString(`
    mutation ClaimRun($sessionId: ID!, $input: ClaimRunInput!) {
  claimRun(sessionId: $sessionId, input: $input) {
    __typename
    ... on Claim {
      runId
      epoch
      inputIds
      unresolved(first: 64) {
        nodes {
          callId
        }
      }
    }
    ... on Problem {
      code
      detail
      facts
    }
  }
}
    `) as unknown as TypedDocumentString<ClaimRunMutation, ClaimRunMutationVariables>;
export const BuiltContextDocument = new TypedDocumentString(`
    query BuiltContext($sessionId: ID!, $input: ContextInput!) {
  builtContext(sessionId: $sessionId, input: $input) {
    contextId
    inputRevision
    delivers
    messages
    format
  }
}
    `) as unknown as TypedDocumentString<BuiltContextQuery, BuiltContextQueryVariables>;
export const StartModelCallDocument = new TypedDocumentString(`
    mutation StartModelCall($sessionId: ID!, $input: StartModelCallInput!) {
  startModelCall(sessionId: $sessionId, input: $input) {
    __typename
    ... on ModelCallStarted {
      modelCallId
    }
    ... on Problem {
      code
      detail
    }
  }
}
    `) as unknown as TypedDocumentString<StartModelCallMutation, StartModelCallMutationVariables>;
export const SettleModelCallDocument = new TypedDocumentString(`
    mutation SettleModelCall($sessionId: ID!, $modelCallId: ID!, $input: SettleModelCallInput!) {
  settleModelCall(sessionId: $sessionId, modelCallId: $modelCallId, input: $input) {
    __typename
    ... on Settled {
      revision
      cost
      calls(first: 64) {
        nodes {
          callId
          tool
          state
        }
      }
    }
    ... on Problem {
      code
      detail
    }
  }
}
    `) as unknown as TypedDocumentString<SettleModelCallMutation, SettleModelCallMutationVariables>;
export const StartToolCallDocument = new TypedDocumentString(`
    mutation StartToolCall($sessionId: ID!, $callId: ID!, $input: StartToolCallInput!) {
  startToolCall(sessionId: $sessionId, callId: $callId, input: $input) {
    __typename
    ... on Permit {
      attempt
      call {
        opKey
      }
    }
    ... on Problem {
      code
      detail
    }
  }
}
    `) as unknown as TypedDocumentString<StartToolCallMutation, StartToolCallMutationVariables>;
export const RecordToolResultDocument = new TypedDocumentString(`
    mutation RecordToolResult($sessionId: ID!, $callId: ID!, $input: RecordToolResultInput!) {
  recordToolResult(sessionId: $sessionId, callId: $callId, input: $input) {
    __typename
    ... on CallReceipt {
      call {
        state
      }
    }
    ... on Problem {
      code
      detail
    }
  }
}
    `) as unknown as TypedDocumentString<RecordToolResultMutation, RecordToolResultMutationVariables>;
export const CompleteRunDocument = new TypedDocumentString(`
    mutation CompleteRun($sessionId: ID!, $runId: ID!, $input: CompleteRunInput!) {
  completeRun(sessionId: $sessionId, runId: $runId, input: $input) {
    __typename
    ... on Receipt {
      position
    }
    ... on Problem {
      code
      detail
    }
  }
}
    `) as unknown as TypedDocumentString<CompleteRunMutation, CompleteRunMutationVariables>;
export const ForkSessionDocument = new TypedDocumentString(`
    mutation ForkSession($sessionId: ID!, $input: ForkSessionInput!) {
  forkSession(sessionId: $sessionId, input: $input) {
    __typename
    ... on Receipt {
      sessionId
      position
    }
    ... on Problem {
      code
      detail
    }
  }
}
    `) as unknown as TypedDocumentString<ForkSessionMutation, ForkSessionMutationVariables>;
export const SessionDocument = new TypedDocumentString(`
    query Session($sessionId: ID!, $atLeast: String!) {
  session(sessionId: $sessionId) {
    status
    counters
    standing {
      stoppedBy
      mayContinue
    }
    cost(atLeast: $atLeast) {
      inclusive {
        calls
        amounts(first: 5) {
          nodes {
            currency
            amount
          }
        }
      }
    }
    children(first: 10, atLeast: $atLeast) {
      nodes {
        sessionId
        edge
      }
    }
    messages(first: 10, atLeast: $atLeast) {
      nodes {
        kind
        preview
        status
      }
      pageInfo {
        hasNextPage
      }
    }
    events(first: 100) {
      nodes {
        type
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SessionQuery, SessionQueryVariables>;