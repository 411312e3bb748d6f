import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { expect, it } from '@jest/globals';
import { isGone, newInstanceId } from './instance-id.js';

const idOf = (host: string, pid: number | undefined): string => `${host}:${pid}:${randomUUID()}`;
const { pid: endedPid } = spawnSync(process.execPath, ['-e', '0']);

it('tells instances of processes that are over', () => {
  expect(isGone(idOf(hostname(), endedPid))).toBe(true);
  // The number of this process, in an earlier life of the host or the container.
  expect(isGone(idOf(hostname(), process.pid))).toBe(true);
});

it.each([
  ['of this process', newInstanceId()],
  ['of a process that runs', idOf(hostname(), process.ppid)],
  ['of another host', idOf('elsewhere', endedPid)],
  ['that is no instance, but the hash of a claim token', 'b1946ac92492d2347c6235b4d2611184'],
])('does not take an id %s for gone', (_, id) => {
  expect(isGone(id)).toBe(false);
});

it('makes ids that differ', () => {
  expect(newInstanceId()).not.toBe(newInstanceId());
});
