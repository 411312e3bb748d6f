import type { Replay } from '../../audit/replay-session.js';
import { type View, react } from './keys.js';
import { type ScreenSize, screenOf } from './screen.js';

const CLEAR = '\u001b[H\u001b[2J';
const OTHER_SCREEN = '\u001b[?1049h';
const OWN_SCREEN = '\u001b[?1049l';

/** A keyboard and a screen; those of the process, or of a test. */
export interface Terminal {
  /** One key each. */
  readonly keys: AsyncIterable<string>;
  readonly size: () => ScreenSize;
  readonly write: (text: string) => void;
}

/** Shows a session version by version until its reader has seen enough. */
export async function stepThrough(
  replay: Replay,
  start: number,
  { keys, size, write }: Terminal,
): Promise<void> {
  let view: View = { version: start, pane: 'event', scroll: 0 };
  let step = await replay.step(start);
  const draw = (): void => {
    write(CLEAR + screenOf(view, step, replay.newest, size()).join('\r\n'));
  };
  write(OTHER_SCREEN);
  try {
    draw();
    for await (const key of keys) {
      const reaction = react(view, key, replay.newest);
      if ('end' in reaction) return;
      view = 'view' in reaction ? reaction.view : await searched(replay, view, reaction);
      if (step.version !== view.version) step = await replay.step(view.version);
      draw();
    }
  } finally {
    write(OWN_SCREEN);
  }
}

/** From a version to the end, then from the beginning. */
async function searched(
  replay: Replay,
  { typing: _typing, ...view }: View,
  { search, from }: { readonly search: string; readonly from: number },
): Promise<View> {
  const wanted = search.toLowerCase();
  for (const start of [from, 0]) {
    for await (const { revision, event, metadata } of replay.events(start)) {
      const text = JSON.stringify([event, metadata.actor, metadata.commandType]);
      if (!text.toLowerCase().includes(wanted)) continue;
      const note = start === from ? undefined : 'went on from the beginning';
      return { ...view, version: revision, scroll: 0, searched: search, note };
    }
  }
  return { ...view, searched: search, note: `"${search}" stands nowhere` };
}
