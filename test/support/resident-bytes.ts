import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** The most memory that the process has held so far; where nobody keeps it, what it holds now. */
export function residentBytes(pid: number): number {
  const status = `/proc/${pid}/status`;
  const kibibytes = existsSync(status)
    ? /VmHWM:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1]
    : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(kibibytes) * 1024;
}
