import { DISPATCH_WINDOW_MS } from '../../src/domain/tool-manifest.js';
import type { Owner, Permit } from './owner.js';
import type { TargetAnswer } from './target.js';
import { TOOL_NAMED } from './world-tools.js';

/**
 * Sends a permitted call: the request may be dropped, land late, be refused; the answer may get
 * lost or come when nobody owns the call any more. It lands before its longest flight is over.
 */
export function dispatch(owner: Owner, permit: Permit): void {
  const { world } = owner;
  const { choices, target } = world;
  world.watch.dispatched(permit.callId, permit.attempt);
  const { request } = world.watch.calls.get(permit.callId)!;
  const tool = TOOL_NAMED.get(request.tool)!;
  const call = world.log.state.calls[permit.callId];
  const key = call === undefined ? request.opKey : world.operationKeyOf(call, permit.attempt);
  target.departs(permit.callId);
  const longestMs = tool.maxFlightMs - DISPATCH_WINDOW_MS;
  const travelMs = choices.below(choices.oneIn(3) ? longestMs : 2_000);
  world.later(travelMs, () => {
    if (choices.oneIn(8)) return target.dropped(permit.callId);
    const answer = target.lands(permit.callId, key, tool, world.nowMs);
    if (choices.oneIn(4)) return;
    world.later(choices.below(choices.oneIn(4) ? 60_000 : 2_000), () => {
      answered(owner, permit, answer);
    });
  });
  world.later(tool.timeoutMs, () => {
    const open = world.log.state.calls[permit.callId];
    const waits = open?.status === 'running' && open.attempts.at(-1)?.attempt === permit.attempt;
    if (owner.acts && waits && !choices.oneIn(3)) owner.tellUnknown(open);
  });
}

/** The process may be dead; then now and then somebody else knows the answer. */
function answered(owner: Owner, permit: Permit, answer: TargetAnswer): void {
  if (!owner.alive && !owner.world.choices.oneIn(2)) return;
  owner.report(permit, answer);
}
