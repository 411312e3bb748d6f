import cliProgress from 'cli-progress';
import { CommandLineError } from './failure.js';

export interface Progress {
  /** `done` may be a fraction. */
  update(done: number, total: number): void;
  stop(): void;
}

export interface ProgressOptions {
  readonly unit: string;
  /** Said when somebody interrupts it: what stays, and how to go on. */
  readonly interrupted: string;
}

/** Where nobody watches a bar, a line comes as often, and none of what is over sooner. */
const LINE_EVERY_MS = 5_000;
/** 128 and the number of the signal, as shells count. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * On stderr: a bar when a person is watching, a line now and then when a program is. Who is told to
 * end stops at its next `update`, where nothing is half written and leases are given back; told
 * again, the process ends at once.
 */
export function progressBar({ unit, interrupted }: ProgressOptions): Progress {
  const shown = process.stderr.isTTY ? bar(unit) : lines(unit);
  let exitCode: number | undefined;
  const interrupt = (signal: keyof typeof EXIT_CODES): void => {
    if (exitCode !== undefined) process.exit(EXIT_CODES[signal]);
    exitCode = EXIT_CODES[signal];
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  return {
    update(done, total) {
      if (exitCode === undefined) return shown.update(done, total);
      const where = `interrupted at ${percent(done, total)}% (${Math.floor(done)} of ${total} ${unit})`;
      throw new CommandLineError(`${where}; ${interrupted}`, exitCode);
    },
    stop() {
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
      shown.stop();
    },
  };
}

function percent(done: number, total: number): number {
  return total === 0 ? 100 : Math.floor((100 * done) / total);
}

function bar(unit: string): Progress {
  const shown = new cliProgress.SingleBar(
    {
      format: `{bar} {percentage}% · {done} of {total} ${unit} · {eta_formatted} left`,
      stream: process.stderr,
      hideCursor: true,
      clearOnComplete: true,
      gracefulExit: false,
    },
    cliProgress.Presets.shades_classic,
  );
  let started = false;
  return {
    update(done, total) {
      const payload = { done: Math.floor(done) };
      if (!started) shown.start(total, done, payload);
      started = true;
      shown.setTotal(total);
      shown.update(done, payload);
    },
    stop() {
      if (started) shown.stop();
    },
  };
}

/** @param everyMs between two lines, and before the first. */
export function lines(
  unit: string,
  write: (line: string) => void = (line) => void process.stderr.write(line),
  now: () => number = () => performance.now(),
  everyMs = LINE_EVERY_MS,
): Progress {
  const startedMs = now();
  let dueMs = startedMs + everyMs;
  return {
    update(done, total) {
      const nowMs = now();
      if (nowMs < dueMs) return;
      dueMs = nowMs + everyMs;
      const leftMs = done === 0 ? undefined : ((nowMs - startedMs) * (total - done)) / done;
      const left = leftMs === undefined ? '' : `, about ${Math.ceil(leftMs / 1_000)} s left`;
      write(`${percent(done, total)}%: ${Math.floor(done)} of ${total} ${unit}${left}\n`);
    },
    stop: () => undefined,
  };
}
