import cliProgress from 'cli-progress';

export interface Progress {
  update(done: number, total: number): void;
  stop(): void;
}

export interface ProgressOptions {
  readonly unit: string;
  /** Said when somebody interrupts it: what stays, and how to go on. */
  readonly interrupted: string;
}

/** Where nobody watches a bar, a line comes as often, and none of what is over sooner. */
const LINE_EVERY_MS = 10_000;
/** 128 and the number of the signal, as shells count. */
const EXIT_INTERRUPTED = 130;

/** On stderr: a bar when a person is watching, a line now and then when a program is. */
export function progressBar({ unit, interrupted }: ProgressOptions): Progress {
  const shown = process.stderr.isTTY ? bar(unit) : lines(unit);
  const interrupt = (): void => {
    shown.stop();
    process.stderr.write(`holdfast: interrupted; ${interrupted}\n`);
    process.exit(EXIT_INTERRUPTED);
  };
  process.once('SIGINT', interrupt);
  return {
    update: (done, total) => shown.update(done, total),
    stop() {
      process.off('SIGINT', interrupt);
      shown.stop();
    },
  };
}

function bar(unit: string): Progress {
  const shown = new cliProgress.SingleBar(
    {
      format: `{bar} {percentage}% · {value} of {total} ${unit} · {eta_formatted} left`,
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
      if (!started) shown.start(total, done);
      started = true;
      shown.setTotal(total);
      shown.update(done);
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
      const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
      const leftMs = done === 0 ? undefined : ((nowMs - startedMs) * (total - done)) / done;
      const left = leftMs === undefined ? '' : `, about ${Math.ceil(leftMs / 1_000)} s left`;
      write(`${percent}%: ${done} of ${total} ${unit}${left}\n`);
    },
    stop: () => undefined,
  };
}
