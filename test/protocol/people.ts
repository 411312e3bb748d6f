import type { CallState } from '../../src/domain/state.js';
import { canBeProbed } from '../../src/domain/next-probe.js';
import { automaticStep } from '../../src/domain/next-step.js';
import { callsOf, owesUndo } from '../../src/domain/state.js';
import { manifestOf } from '../../src/domain/tool-manifest.js';
import type { Owner } from './owner.js';
import type { OrderedCompensation } from '../../src/domain/settling-commands.js';
import type { World } from './world.js';
import { UNDO } from './world-tools.js';

/** What users, operators and the reconciler do: all those that own nothing. */

export function acceptInput(world: World): void {
  const inputId = world.id('input');
  world.send({
    type: 'AcceptInput',
    commandId: inputId,
    now: world.now,
    inputId,
    delivery: world.choices.oneIn(3) ? 'steer' : 'queue',
    resume: !world.choices.oneIn(4),
    content: [],
    author: 'user-1',
  });
}

export function withdrawInput(world: World): void {
  const [input] = world.log.state.pendingInputs;
  if (input === undefined) return;
  const { inputId } = input;
  world.send({ type: 'WithdrawInput', commandId: world.id('withdraw'), now: world.now, inputId });
}

export function stop(world: World, ownerLives: boolean): void {
  const { run } = world.log.state;
  if (run === undefined) return;
  world.send({
    type: 'StopRun',
    commandId: world.id('stop'),
    now: world.now,
    runId: run.runId,
    dropPendingInputs: world.choices.oneIn(4),
    lease: { live: ownerLives },
  });
}

export function confirmStopped(world: World): void {
  const { run } = world.log.state;
  if (run?.status !== 'stopping') return;
  world.send({
    type: 'ConfirmStopped',
    commandId: world.id('stopped'),
    now: world.now,
    runId: run.runId,
    by: 'reconciler',
  });
}

/** Whoever resumes has seen to it that there is a budget. */
export function resume(world: World): void {
  world.hasBudget = true;
  world.send({ type: 'ResumeSession', commandId: world.id('resume'), now: world.now });
}

/** Takes every automatic step that is due now. */
export function reconcile(world: World): void {
  for (const call of callsOf(world.log.state)) {
    const step = automaticStep(call, world.log.state, world.now, 'due', world.latestFor(call));
    const due = owesUndo(call) || step !== undefined;
    const rarely = call.voidedAt === undefined ? 20 : 2;
    if (due || world.choices.oneIn(rarely)) reconcileOne(world, call.callId);
  }
}

function reconcileOne(world: World, callId: string): void {
  const { commandId, now } = { commandId: world.id('reconcile'), now: world.now };
  const latestNow = world.latestFor(world.log.state.calls[callId]!);
  const escalationId = world.id('escalation');
  world.send(() => {
    const call = world.log.state.calls[callId];
    const isOwed = call !== undefined && owesUndo(call);
    const compensation = isOwed ? undoingOf(call, world) : undefined;
    const command = { type: 'ReconcileCall', commandId, now, callId, latestNow } as const;
    return { ...command, compensation, escalationId };
  });
}

/** Asks the target about every call that can be asked about; the answer arrives later. */
export function probe(world: World, travelMs: number): void {
  for (const call of callsOf(world.log.state)) {
    const open = call.status === 'unknown' || call.status === 'awaitingHuman';
    const manifest = manifestOf(call.tool, world.log.state.tools);
    const scheduled = canBeProbed(call, manifest, world.now);
    if (open && manifest.probe && (scheduled || world.choices.oneIn(3))) {
      probeOne(world, call, travelMs);
    }
  }
}

/** Fences the target for every call that allows it. */
export function voidKeys(world: World, travelMs: number): void {
  for (const call of callsOf(world.log.state)) {
    const open = call.status === 'unknown' || call.status === 'awaitingHuman';
    const { voidByKey } = manifestOf(call.tool, world.log.state.tools);
    if (open && voidByKey !== undefined) voidOne(world, call, travelMs);
  }
}

/** Keeps requests that still travel out of the target; the confirmation arrives later. */
function voidOne(world: World, { callId }: CallState, travelMs: number): void {
  const requestedAt = world.now;
  const voided = world.target.makeVoid(callId);
  world.later(world.choices.below(travelMs), () => {
    world.send({
      type: 'RecordVoid',
      commandId: world.id('void'),
      now: world.now,
      callId,
      requestedAt,
      voided,
      evidence: { method: 'POST', target: 'https://target.test', observedAt: world.now },
    });
  });
}

function probeOne(world: World, asked: CallState, travelMs: number): void {
  const { callId } = asked;
  const requestedAt = world.now;
  const answer = world.target.ask(callId);
  world.later(world.choices.below(travelMs), () => {
    const call = world.log.state.calls[callId] ?? asked;
    world.send({
      type: 'RecordProbe',
      commandId: world.id('probe'),
      now: world.now,
      callId,
      source: 'http',
      requestedAt,
      hasWaited: world.hasWaited(call),
      answer,
      evidence: { method: 'GET', target: 'https://target.test', observedAt: world.now },
    });
  });
}

/** A person who allows most calls, and denies some. */
export function decideApproval(world: World): void {
  const asked = callsOf(world.log.state).filter(
    ({ status, approval }) => status === 'requested' && approval !== undefined,
  );
  if (asked.length === 0) return;
  world.send({
    type: 'DecideApproval',
    commandId: world.id('approval'),
    now: world.now,
    callId: world.choices.pick(asked).callId,
    decision: world.choices.oneIn(4) ? 'deny' : 'allow',
  });
}

/** The call that undoes this one: the same whenever it is ordered. */
function undoingOf({ callId, tool }: CallState, world: World): OrderedCompensation | undefined {
  const { run, tools, revision } = world.log.state;
  if (manifestOf(tool, tools).compensate === undefined) return undefined;
  const goesOn = run?.status === 'active' || run?.status === 'interrupted';
  const compensationCallId = `undo:${callId}`;
  return {
    compensationCallId,
    runId: goesOn ? run.runId : `undo-run:${callId}:${revision}`,
    tool: UNDO.name,
    manifest: UNDO,
    opKey: `key-of-${compensationCallId}`,
    argsHash: `args-of-${compensationCallId}`,
    args: {},
  };
}

/** A person who looks at the target and tells the truth, or orders another attempt or an undo. */
export function decideEscalation(world: World, owners: readonly Owner[]): void {
  const waiting = callsOf(world.log.state).filter((call) => call.status === 'awaitingHuman');
  if (waiting.length === 0) return;
  const call = world.choices.pick(waiting);
  const { callId, escalation } = call;
  const happened = world.target.effectsOf(callId) > 0;
  const mayHappen =
    world.target.mayStillLand(callId) || owners.some((owner) => owner.maySend(callId));
  const truth = happened ? 'applied' : mayHappen ? 'abandon' : 'notApplied';
  const isUndone = world.choices.oneIn(2) && undoingOf(call, world) !== undefined;
  const other = world.choices.oneIn(3) ? 'retry' : world.choices.oneIn(6) ? 'abandon' : truth;
  const decision = isUndone ? 'compensate' : other;
  const { commandId, now } = { commandId: world.id('decision'), now: world.now };
  const { escalationId } = escalation!;
  world.send(() => {
    const compensation = isUndone ? undoingOf(call, world) : undefined;
    const command = { type: 'DecideEscalation', commandId, now, callId, escalationId } as const;
    return { ...command, decision, compensation };
  });
}
