import type { ReplayStep } from '../../audit/replay-session.js';
import { HELP, type View } from './keys.js';
import { contextLines, dataLines, eventLine, statusLine } from './step-text.js';

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** All lines of the screen, each no longer than it is wide. */
export function screenOf(
  view: View,
  step: ReplayStep,
  newest: number,
  { columns, rows }: ScreenSize,
): readonly string[] {
  const { pane, scroll, typing, note } = view;
  const title = pane === 'event' ? 'Event' : 'Model input right after it';
  const head = [
    `Version ${view.version} of ${newest}`,
    eventLine(step.record),
    statusLine(step),
    `── ${title} `.padEnd(Math.min(columns, 60), '─'),
  ];
  const body = pane === 'event' ? dataLines(step.record) : contextLines(step);
  const room = Math.max(1, rows - head.length - 1);
  const from = Math.min(scroll, Math.max(0, body.length - room));
  const shown = body.slice(from, from + room);
  const empty = Array.from({ length: room - shown.length }, () => '');
  const foot =
    typing === undefined
      ? (note ?? HELP)
      : `${typing.kind === 'version' ? 'version: ' : '/'}${typing.text}`;
  return [...head, ...shown, ...empty, foot].map((line) => clipped(line, columns));
}

function clipped(line: string, columns: number): string {
  const characters = [...line];
  return characters.length <= columns ? line : `${characters.slice(0, columns - 1).join('')}…`;
}
