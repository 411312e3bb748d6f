import type { BudgetAnswer } from '../../domain/budget/reservation.js';
import { toolCallId } from '../../identity/derived-ids.js';
import type { TenantFacts } from '../tenant-facts.js';
import { AcceptInputBody } from '../accept-input/accept-input.dto.js';
import { acceptInput } from '../accept-input/accept-input.handler.js';
import { checkedBody } from '../dto/checked-body.js';
import type { RequestFault } from '../dto/faults.js';
import { CompleteRunBody, FailRunBody } from '../end-run/end-run.dto.js';
import { completeRun, failRun } from '../end-run/end-run.handler.js';
import type { CommandContext, CommandMaker } from '../handle-command.js';
import { RecordFactsBody } from '../record-facts/record-facts.dto.js';
import { recordFacts } from '../record-facts/record-facts.handler.js';
import { RecordAssistantMessageBody } from '../record-assistant-message/record-assistant-message.dto.js';
import { recordAssistantMessage } from '../record-assistant-message/record-assistant-message.handler.js';
import { RecordToolResultBody } from '../record-tool-result/owned-tool-result.dto.js';
import { recordToolResult } from '../record-tool-result/record-tool-result.handler.js';
import { SettleModelCallBody } from '../settle-model-call/settle-model-call.dto.js';
import { settleModelCall } from '../settle-model-call/settle-model-call.handler.js';
import { StartModelCallBody } from '../start-model-call/start-model-call.dto.js';
import { startModelCall } from '../start-model-call/start-model-call.handler.js';
import { SkipToolCallBody, StartToolCallBody } from '../start-tool-call/start-tool-call.dto.js';
import { skipToolCall, startToolCall } from '../start-tool-call/start-tool-call.handler.js';

type Fields = Readonly<Record<string, unknown>>;

/** A kind of step: how its body is checked, and what the domain is asked. */
interface StepKind<Body extends object> {
  readonly body: new () => Body;
  /** What the step names beside its body. */
  readonly names: readonly ('runId' | 'modelCallId' | 'call')[];
  readonly make: (
    body: Body,
    names: StepNames,
    context: CommandContext,
    facts: StepFacts,
  ) => ReturnType<CommandMaker>;
}

/** What enters a step from outside. */
interface StepFacts extends TenantFacts {
  /** Of a model call that the step starts: what its budgets say. */
  readonly budget: BudgetAnswer | undefined;
}

interface StepNames {
  readonly runId: string;
  readonly modelCallId: string;
  readonly callId: string;
}

function kind<Body extends object>(step: StepKind<Body>): StepKind<Body> {
  return step;
}

/** What can be recorded together in one append; a claim is always a request of its own. */
export const STEP_KINDS = {
  acceptInput: kind({
    body: AcceptInputBody,
    names: [],
    make: (body, _, context) => acceptInput(body, context),
  }),
  startModelCall: kind({
    body: StartModelCallBody,
    names: [],
    make: (body, _, context, { budget }) => startModelCall(body, context, budget),
  }),
  recordMessage: kind({
    body: RecordAssistantMessageBody,
    names: ['modelCallId'],
    make: (body, { modelCallId }, context, { tools }) =>
      recordAssistantMessage({ modelCallId, body }, context, tools),
  }),
  settleModelCall: kind({
    body: SettleModelCallBody,
    names: ['modelCallId'],
    make: (body, { modelCallId }, context, facts) =>
      settleModelCall({ modelCallId, body }, context, facts),
  }),
  startToolCall: kind({
    body: StartToolCallBody,
    names: ['call'],
    make: (body, { callId }, context) => startToolCall({ callId, body }, context),
  }),
  recordToolResult: kind({
    body: RecordToolResultBody,
    names: ['call'],
    make: (body, { callId }, context) => recordToolResult({ callId, body }, context),
  }),
  skipToolCall: kind({
    body: SkipToolCallBody,
    names: ['call'],
    make: (body, { callId }, context) => skipToolCall({ callId, body }, context),
  }),
  recordFacts: kind({
    body: RecordFactsBody,
    names: [],
    make: (body, _, context) => recordFacts(body, context),
  }),
  completeRun: kind({
    body: CompleteRunBody,
    names: ['runId'],
    make: (body, { runId }, context) => completeRun({ runId, body }, context),
  }),
  failRun: kind({
    body: FailRunBody,
    names: ['runId'],
    make: (body, { runId }, context) => failRun({ runId, body }, context),
  }),
} as const;

export type StepType = keyof typeof STEP_KINDS;
export const STEP_TYPES = Object.keys(STEP_KINDS) as readonly StepType[];

export class StepsInvalidError extends Error {
  constructor(readonly faults: readonly RequestFault[]) {
    super(faults[0]?.message ?? 'a step is not valid');
    this.name = 'StepsInvalidError';
  }
}

const WITH_FACTS: readonly unknown[] = ['startModelCall', 'recordMessage', 'settleModelCall'];

/** Whether prices, budgets or registered tools matter to one of the steps. */
export function needsFacts(steps: readonly Fields[]): boolean {
  return steps.some(({ type }) => WITH_FACTS.includes(type));
}

/** A step with its body checked. */
interface CheckedStep {
  readonly step: StepKind<object>;
  readonly body: object;
  readonly names: GivenNames;
}

/**
 * Checks every step as its own route would, with the request's epoch and claim token filled in.
 * @throws StepsInvalidError with every fault and the index of its step.
 */
export function checkedSteps(steps: readonly Fields[], ownership: Fields): readonly CheckedStep[] {
  const faults: RequestFault[] = [];
  const checked = steps.flatMap((step, index) =>
    checkedStep(step, { ownership, at: `steps.${index}` }, faults),
  );
  if (faults.length > 0) throw new StepsInvalidError(faults);
  return checked;
}

/** The model calls that the steps start, in order. */
export function startedCalls(steps: readonly CheckedStep[]): readonly StartModelCallBody[] {
  return steps.flatMap(({ body }) => (body instanceof StartModelCallBody ? [body] : []));
}

/**
 * @param facts of the tenant.
 * @param budgets the answers to `startedCalls`.
 */
export function makersOf(
  steps: readonly CheckedStep[],
  facts: TenantFacts,
  budgets: readonly (BudgetAnswer | undefined)[],
): readonly CommandMaker[] {
  const started = startedCalls(steps);
  return steps.map(({ step, body, names }) => {
    const budget = budgets[started.findIndex((call) => call === body)];
    return (context) => step.make(body, resolved(names, context), context, { ...facts, budget });
  });
}

interface StepSurroundings {
  readonly ownership: Fields;
  readonly at: string;
}

function checkedStep(
  { type, runId, modelCallId, callId, call, ...fields }: Fields,
  { ownership, at }: StepSurroundings,
  faults: RequestFault[],
): readonly CheckedStep[] {
  if (typeof type !== 'string' || !Object.hasOwn(STEP_KINDS, type)) {
    faults.push({ at: `${at}.type`, message: `type must be one of ${STEP_TYPES.join(', ')}` });
    return [];
  }
  const step = STEP_KINDS[type as StepType] as StepKind<object>;
  const given = owns(step.body) ? { ...ownership, ...fields } : fields;
  const modelCall = type === 'startModelCall' ? { modelCallId } : {};
  const { body, faults: own } = checkedBody(step.body, present({ ...given, ...modelCall }), at);
  faults.push(...own);
  const names = { runId, modelCallId, callId, call };
  faults.push(...missingNames(step, names, at));
  return [{ step, body, names }];
}

function owns(body: new () => object): boolean {
  return ![AcceptInputBody, RecordFactsBody].includes(body as never);
}

function present(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

interface GivenNames {
  readonly runId?: unknown;
  readonly modelCallId?: unknown;
  readonly callId?: unknown;
  /** A call of a message in the same request, whose id is not known to the sender yet. */
  readonly call?: unknown;
}

function missingNames(
  step: StepKind<object>,
  names: GivenNames,
  at: string,
): readonly RequestFault[] {
  return step.names.flatMap((name) => {
    const given = name === 'call' ? (names.callId ?? callReference(names.call)) : names[name];
    if (typeof given === 'string' || (name === 'call' && given !== undefined)) return [];
    const what = name === 'call' ? 'callId, or call: {messageId, ordinal},' : name;
    return [{ at: `${at}.${name}`, message: `${what} is missing` }];
  });
}

function callReference(
  call: unknown,
): { readonly messageId: string; readonly ordinal: number } | undefined {
  if (typeof call !== 'object' || call === null) return undefined;
  const { messageId, ordinal } = call as Fields;
  return typeof messageId === 'string' && Number.isSafeInteger(ordinal)
    ? { messageId, ordinal: ordinal as number }
    : undefined;
}

function resolved(names: GivenNames, context: CommandContext): StepNames {
  const reference = callReference(names.call);
  const callId =
    typeof names.callId === 'string'
      ? names.callId
      : reference && toolCallId(context.scope.sessionId, reference.messageId, reference.ordinal);
  return {
    runId: String(names.runId),
    modelCallId: String(names.modelCallId),
    callId: callId ?? '',
  };
}
