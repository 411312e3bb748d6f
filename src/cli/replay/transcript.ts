import type { Replay, ReplayStep } from '../../audit/replay-session.js';
import { dataLines, eventLine, statusLine } from './step-text.js';

/** Every step in plain text, for where nobody can press keys. */
export async function* transcriptOf(replay: Replay, from: number): AsyncGenerator<string> {
  for (let version = from; version <= replay.newest; version += 1) {
    yield blockOf(await replay.step(version));
  }
}

function blockOf(step: ReplayStep): string {
  const data = dataLines(step.record).map((line) => `    ${line}`);
  return [eventLine(step.record), ...data, `  = ${statusLine(step)}`, ''].join('\n');
}
