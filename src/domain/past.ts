import type { SessionCommand } from './commands.js';
import type { EventMetadata, SessionEvent, SessionEventRecord } from './events.js';
import { evolve } from './evolve.js';
import { type RecordedCall, recordedCalls } from './recorded-calls.js';
import { type CallState, type SessionState, initialState } from './state.js';

/**
 * What lies behind the state: ids at rest (receipts, delivered inputs, settled calls). The state
 * stays small because these are found in the store by key, exactly, when a command names them.
 */
export interface Past {
  /** The same command, done before. */
  readonly receipt?: Receipt;
  /** What an id of this session names, if anything. */
  readonly kinds: ReadonlyMap<string, ObjectKind>;
  /** Tool calls at rest that the command names. */
  readonly calls: ReadonlyMap<string, CallState>;
  /** Model calls that are settled, by id. */
  readonly modelCalls: ReadonlyMap<string, RecordedCall>;
  /** Runs that have ended, by id, with how. */
  readonly endedRuns: ReadonlyMap<string, 'completed' | 'failed' | 'stopped'>;
}

export interface Receipt {
  /** Revisions of the command's first and last event. */
  readonly first: number;
  readonly last: number;
  readonly payloadHash?: string;
}

export type ObjectKind = 'input' | 'run' | 'modelCall' | 'message' | 'compaction';

export const NOTHING_PAST: Past = {
  kinds: new Map(),
  calls: new Map(),
  modelCalls: new Map(),
  endedRuns: new Map(),
};

/** The keys under which the store finds an event again. */
export function keysOf(event: SessionEvent, metadata: EventMetadata): readonly string[] {
  const keys = objectsOf(event).map(([id]) => idKey(id));
  if ('callId' in event.data) keys.push(callKey(event.data.callId));
  if (event.type === 'ToolCompensationRequested') {
    keys.push(callKey(event.data.compensationCallId));
  }
  if (event.type === 'ModelCallSettled' || event.type === 'ModelUsageReported') {
    keys.push(usageKey(event.data.modelCallId));
  }
  if ('reservation' in event.data && event.data.reservation !== undefined) {
    keys.push(reservationKey(event.data.reservation.reservationId));
  }
  if (event.type === 'FactsRecorded') {
    keys.push(...event.data.facts.map((fact) => factKey(fact.factId)));
  }
  if (metadata.commandEvents !== undefined) {
    keys.push(receiptKey(metadata.commandType, metadata.commandId));
  }
  return keys;
}

/** The keys to look up before a command is decided: only what the state itself does not tell. */
export function keysFor(command: SessionCommand, state: SessionState): readonly string[] {
  const keys = [receiptKey(command.type, command.commandId)];
  if ('callId' in command && !Object.hasOwn(state.calls, command.callId)) {
    keys.push(callKey(command.callId));
  }
  if ('runId' in command && state.run?.runId !== command.runId) keys.push(idKey(command.runId));
  if ('inputId' in command) keys.push(idKey(command.inputId));
  if ('modelCallId' in command && command.modelCallId !== undefined) {
    if (state.modelCall?.modelCallId !== command.modelCallId) keys.push(idKey(command.modelCallId));
  }
  if (command.type === 'ReportModelUsage') {
    const { modelCallId, further } = command;
    keys.push(...[modelCallId, ...further.map((call) => call.modelCallId)].map(usageKey));
  }
  if ('messageId' in command) keys.push(idKey(command.messageId));
  if ('compactionId' in command) keys.push(idKey(command.compactionId));
  if (command.type === 'RecordAssistantMessage')
    keys.push(...command.calls.map((call) => callKey(call.callId)));
  return keys;
}

/** Reads what a command has to know out of the events that were found for its keys. */
export function pastOf(command: SessionCommand, found: readonly SessionEventRecord[]): Past {
  if (found.length === 0) return NOTHING_PAST;
  const kinds = new Map<string, ObjectKind>();
  const endedRuns = new Map<string, 'completed' | 'failed' | 'stopped'>();
  for (const { event } of found) {
    for (const [id, kind] of objectsOf(event)) kinds.set(id, kind);
    if (event.type === 'RunCompleted') endedRuns.set(event.data.runId, 'completed');
    if (event.type === 'RunFailed') endedRuns.set(event.data.runId, 'failed');
    if (event.type === 'RunStopped') endedRuns.set(event.data.runId, 'stopped');
  }
  const calls = callsIn(found);
  const modelCalls = recordedCalls(found.map(({ event }) => event));
  return { receipt: receiptIn(command, found), kinds, calls, modelCalls, endedRuns };
}

function receiptIn(
  command: SessionCommand,
  found: readonly SessionEventRecord[],
): Receipt | undefined {
  const first = found.find(
    ({ metadata }) =>
      metadata.commandType === command.type &&
      metadata.commandId === command.commandId &&
      metadata.commandEvents !== undefined,
  );
  if (first === undefined) return undefined;
  return {
    first: first.revision,
    last: first.revision + (first.metadata.commandEvents ?? 1) - 1,
    payloadHash: first.metadata.payloadHash,
  };
}

export function callsIn(found: readonly SessionEventRecord[]): ReadonlyMap<string, CallState> {
  let state = initialState;
  for (const { event, revision } of found) {
    if (!('callId' in event.data)) continue;
    state = evolve({ ...state, revision: revision - 1 }, event);
  }
  return new Map(Object.entries(state.calls));
}

function objectsOf(event: SessionEvent): [string, ObjectKind][] {
  switch (event.type) {
    case 'InputAccepted':
      return [[event.data.inputId, 'input']];
    case 'InputDelivered':
      return [[event.data.messageId, 'message']];
    case 'RunClaimed':
      return event.data.reason === 'start' ? [[event.data.runId, 'run']] : [];
    case 'RunCompleted':
    case 'RunFailed':
    case 'RunStopped':
      return [[event.data.runId, 'run']];
    case 'ModelCallStarted':
      return [
        [event.data.modelCallId, 'modelCall'],
        [event.data.messageId, 'message'],
      ];
    case 'CompactionStarted':
      return [[event.data.compactionId, 'compaction']];
    default:
      return [];
  }
}

export function idKey(id: string): string {
  return `id:${id}`;
}

export function callKey(callId: string): string {
  return `call:${callId}`;
}

/** Of a settled model call: its usage as it was recorded and reported later. */
export function usageKey(modelCallId: string): string {
  return `usage:${modelCallId}`;
}

/** Of a model call that held something of a budget: its start, its settlement, late usage. */
export function reservationKey(reservationId: string): string {
  return `reservation:${reservationId}`;
}

export function factKey(factId: string): string {
  return `fact:${factId}`;
}

function receiptKey(commandType: string, commandId: string): string {
  return `cmd:${commandType}:${commandId}`;
}
