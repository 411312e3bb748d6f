import type { CallState, SessionState } from './state.js';
import { type ToolManifest, manifestOf } from './tool-manifest.js';

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
