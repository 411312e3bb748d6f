import { quarantined } from '../domain/guards.js';
import type { HandledCommand } from './handle-command.js';

/**
 * A request that finds a budget of its run used up is refused, and yet leaves a trace: the session is
 * quarantined for all.
 * @throws Rejection `session_quarantined`.
 */
export function unlessQuarantined(handled: HandledCommand): HandledCommand {
  const isQuarantined = handled.events.some(({ type }) => type === 'SessionQuarantined');
  if (isQuarantined) throw quarantined(handled.state);
  return handled;
}
