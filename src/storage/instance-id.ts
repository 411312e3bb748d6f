import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** Those of this process's present life: its number may have been another process's before. */
const madeHere = new Set<string>();

/** Names who holds a lease: host, process and a random part. */
export function newInstanceId(): string {
  const id = `${hostname()}:${process.pid}:${randomUUID()}`;
  madeHere.add(id);
  return id;
}

/**
 * True when the process of this host that made the id is certainly over. Only for places that other
 * hosts do not share under the same name: there the number would be asked of the wrong machine.
 */
export function isGone(instanceId: string): boolean {
  const [, host, digits] = /^(.+):(\d+):[\da-f-]{36}$/.exec(instanceId) ?? [];
  if (host !== hostname() || madeHere.has(instanceId)) return false;
  const pid = Number(digits);
  return pid === process.pid || !isRunning(pid);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
