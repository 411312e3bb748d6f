import type { LeftOut, Repair, RepairAction } from './vocabulary.js';

/** Collects what a repair did, in the order in which it did it. */
export class RepairLog {
  readonly repairs: Repair[] = [];
  readonly leftOut: LeftOut[] = [];

  add(rule: string, position: number, action: RepairAction, reason: string): void {
    this.repairs.push({ rule, position, action, reason });
  }

  /** A message that the format has no place for: not sent, but not lost either. */
  leaveOut(rule: string, position: number, message: unknown, reason: string): void {
    this.leftOut.push({ position, message });
    this.add(rule, position, 'drop_message', reason);
  }
}
