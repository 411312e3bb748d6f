import type { SessionEvent } from './events.js';
import { callIn } from './guards.js';
import type { Past } from './past.js';
import type { RedactionPattern } from './redaction/redaction-policy.js';
import type { CallState, SessionState } from './state.js';
import { type ToolManifest, manifestOf } from './tool-manifest.js';

/** What is masked in an event of a call, by the manifest of its tool. */
export function redactPatternsOf(
  event: SessionEvent,
  state: SessionState,
  past: Past,
): readonly RedactionPattern[] {
  if (!('callId' in event.data)) return [];
  if (event.type === 'ToolCallRequested') {
    const { manifest, tool } = event.data;
    return (manifest ?? manifestOf(tool, state.tools)).redact ?? [];
  }
  const call = callIn(state, event.data.callId, past);
  return (call && manifestOfCall(call, state).redact) ?? [];
}

/** What holds for one call: what was registered when it was requested, else what its session says. */
export function manifestOfCall(call: CallState, state: SessionState): ToolManifest {
  const manifest = call.manifest ?? manifestOf(call.tool, state.tools);
  if (call.effect === manifest.effect) return manifest;
  return {
    ...manifest,
    effect: call.effect,
    keyWindowMs: call.keyWindowMs,
    notFoundIsFinalAfterMs: call.notFoundIsFinalAfterMs,
    probe: false,
    httpProbe: undefined,
    namedProbe: undefined,
    voidByKey: undefined,
    twinGuard: true,
  };
}
