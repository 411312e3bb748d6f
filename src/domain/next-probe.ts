import { keyWindowEnd, latestPermit } from './attempts.js';
import { manifestOfCall } from './call-manifest.js';
import { type QueryValues, graphqlBody } from './graphql-probe.js';
import { filledUrl, needsExternalRef } from './http-request.js';
import type { HttpProbe, VoidRequest } from './http-probe.js';
import { waitsForRetry } from './next-retry.js';
import { type CallState, type SessionState, callsOf, isImportedUnknown } from './state.js';
import type { ToolManifest } from './tool-manifest.js';

const BACKOFF_FIRST_MS = 1_000;
const BACKOFF_MS_MAX = 60_000;

/** What the server owes a call now: a request to its target, or a question to a probe of its own. */
export type DueProbe = {
  readonly callId: string;
  readonly probeNo: number;
} & (DueRequest | { readonly kind: 'named'; readonly name: string });

export type DueRequest = {
  /** Undefined: the values of this call cannot stand in the address. */
  readonly url: string | undefined;
} & (
  | { readonly kind: 'query'; readonly request: HttpProbe; readonly body?: string }
  | { readonly kind: 'void'; readonly request: VoidRequest }
);

/** When "not found" proves that the newest attempt did nothing; undefined = never. */
export function notFoundFinalAt(call: CallState): string | undefined {
  const last = latestPermit(call);
  if (call.notFoundIsFinalAfterMs === null || last === undefined) return undefined;
  const waitMs = Math.max(call.maxFlightMs, call.notFoundIsFinalAfterMs);
  return new Date(Date.parse(last.startedAt) + waitMs).toISOString();
}

/** Whether somebody will still ask the target before a person is asked. */
export function canBeProbed(call: CallState, manifest: ToolManifest, now: string): boolean {
  if (!manifest.probe) return false;
  if (serverAsks(call, manifest)) return probeDueAt(call, manifest) !== undefined;
  const until = askedByWorkerUntil(call, manifest);
  return call.probes < manifest.maxProbes && (until === undefined || now <= until);
}

/** Only a worker can ask: nobody may come, so its time is limited like a person's. */
export function askedByWorkerUntil(call: CallState, manifest: ToolManifest): string | undefined {
  const last = latestPermit(call);
  if (!manifest.probe || serverAsks(call, manifest) || last === undefined) return undefined;
  return new Date(Date.parse(last.deadline) + manifest.escalationDueMs).toISOString();
}

function serverAsks(call: CallState, { httpProbe, namedProbe }: ToolManifest): boolean {
  if (httpProbe === undefined) return namedProbe !== undefined;
  const needsRef = needsExternalRef(httpProbe) || httpProbe.graphql?.includes('$externalRef');
  return !needsRef || call.externalRef !== undefined;
}

/**
 * When the server asks next: 1 s, 2 s, 4 s … 60 s after the last time, `maxProbes` times, and once
 * more at the moment "not found" becomes final (protocol, §11.5). Undefined: not any more.
 */
export function probeDueAt(call: CallState, manifest: ToolManifest): string | undefined {
  const last = call.lastProbe?.sentAt;
  if (call.lastProbe?.kind === 'void' && call.voidedAt !== undefined) return last;
  const finalAt = notFoundFinalAt(call);
  const stillToCome = finalAt !== undefined && (last === undefined || last < finalAt);
  if (call.probes >= manifest.maxProbes) return stillToCome ? finalAt : undefined;
  if (last === undefined) return latestPermit(call)?.startedAt;
  const waitMs = Math.min(BACKOFF_FIRST_MS * 2 ** (call.probes - 1), BACKOFF_MS_MAX);
  const next = new Date(Date.parse(last) + waitMs).toISOString();
  return stillToCome && finalAt < next ? finalAt : next;
}

/** The status queries and voids that are due now. A call that waits for its worker's retry has none. */
export function dueProbes(state: SessionState, now: string): readonly DueProbe[] {
  return callsOf(state).flatMap((call): readonly DueProbe[] => {
    const dueAt = scheduledProbeAt(call, state);
    const { httpProbe, namedProbe, voidByKey } = manifestOfCall(call, state);
    if (dueAt === undefined || dueAt > now) return [];
    const due = { callId: call.callId, probeNo: call.probes + 1 };
    if (httpProbe === undefined) {
      return namedProbe === undefined ? [] : [{ ...due, kind: 'named', name: namedProbe }];
    }
    if (voidByKey !== undefined && voidIsDue(call)) {
      const url = filledUrl(voidByKey.urlTemplate, call);
      return [{ ...due, kind: 'void', request: voidByKey, url }];
    }
    const url = filledUrl(httpProbe.urlTemplate, call);
    const { graphql } = httpProbe;
    const body = graphql === undefined ? undefined : graphqlBody(graphql, valuesOf(call));
    return [{ ...due, kind: 'query', request: httpProbe, url, body }];
  });
}

function valuesOf({ opKey, externalRef }: CallState): QueryValues {
  return { opKey, externalRef };
}

/** The target knows nothing of the operation, and it may still arrive: then it is kept out. */
function voidIsDue(call: CallState): boolean {
  const { lastProbe, voidedAt } = call;
  if (lastProbe?.kind !== 'query' || lastProbe.verdict !== 'inconclusive') return false;
  const finalAt = notFoundFinalAt(call);
  return voidedAt === undefined && (finalAt === undefined || lastProbe.sentAt < finalAt);
}

/** Undefined: the server has nothing to ask about this call. */
export function scheduledProbeAt(call: CallState, state: SessionState): string | undefined {
  const manifest = manifestOfCall(call, state);
  const isAsked = call.status === 'unknown' && !isImportedUnknown(call);
  if (!isAsked || !serverAsks(call, manifest)) return undefined;
  if (waitsForResume(call, state)) return undefined;
  const dueAt = probeDueAt(call, manifest);
  if (dueAt === undefined || !waitsForRetry(call, state)) return dueAt;
  // It is repeated rather than asked about, as long as the key is known.
  const windowEnd = keyWindowEnd(call)!;
  return dueAt > windowEnd ? dueAt : windowEnd;
}

/** A keyed write inside its window is repeated rather than asked about, once its run goes on. */
function waitsForResume(call: CallState, { run }: SessionState): boolean {
  const quarantined = run?.runId === call.runId && run?.status === 'quarantined';
  const last = call.lastProbe?.sentAt ?? latestPermit(call)?.startedAt ?? '';
  return call.effect === 'keyedWrite' && quarantined && last <= (keyWindowEnd(call) ?? '');
}
