/** What a person at the replay looks at, and what is being typed. */
export interface View {
  readonly version: number;
  readonly pane: 'event' | 'context';
  /** Lines of the pane that are passed over. */
  readonly scroll: number;
  /** A line that is being typed: a version after `g`, a text after `/`. */
  readonly typing?: { readonly kind: 'version' | 'search'; readonly text: string };
  readonly searched?: string;
  readonly note?: string;
}

export type Reaction =
  | { readonly view: View }
  | { readonly search: string; readonly from: number }
  | { readonly end: true };

export const HELP =
  'n next · b back · g version · / search · N again · c input · ↑↓ scroll · q quit';

const CODES: Readonly<Record<string, string>> = {
  '\u001b[C': 'n',
  '\u001b[D': 'b',
  '\u001b[A': 'up',
  '\u001b[B': 'down',
  '\u001b[H': 'home',
  '\u001b[F': 'end',
  ' ': 'n',
  j: 'down',
  k: 'up',
};

/** One key; nothing is read or written here. @param newest the highest version there is. */
export function react(view: View, key: string, newest: number): Reaction {
  if (key === '\u0003' || key === '\u0004') return { end: true };
  if (view.typing !== undefined) return typed(view, key, newest);
  const { version, scroll, searched } = view;
  switch (CODES[key] ?? key) {
    case 'n':
    case '\r':
      return at(view, version + 1, newest);
    case 'b':
      return at(view, version - 1, newest);
    case 'home':
      return at(view, 0, newest);
    case 'end':
      return at(view, newest, newest);
    case 'up':
      return { view: { ...view, scroll: Math.max(0, scroll - 1) } };
    case 'down':
      return { view: { ...view, scroll: scroll + 1 } };
    case 'c': {
      const pane = view.pane === 'event' ? 'context' : 'event';
      return { view: { ...view, pane, scroll: 0 } };
    }
    case 'g':
      return { view: { ...view, note: undefined, typing: { kind: 'version', text: '' } } };
    case '/':
      return { view: { ...view, note: undefined, typing: { kind: 'search', text: '' } } };
    case 'N':
      return searched === undefined
        ? { view: { ...view, note: 'search first: /' } }
        : { search: searched, from: version + 1 };
    case 'q':
    case '\u001b':
      return { end: true };
    default:
      return { view };
  }
}

function at(view: View, version: number, newest: number): Reaction {
  if (version < 0) return { view: { ...view, note: 'this is the first version' } };
  if (version > newest) return { view: { ...view, note: 'this is the newest version' } };
  return { view: { ...view, version, scroll: 0, note: undefined } };
}

function typed(view: View, key: string, newest: number): Reaction {
  const { kind, text } = view.typing!;
  const { typing: _typing, ...rest } = view;
  if (key === '\u001b') return { view: rest };
  if (key === '\u007f' || key === '\b') {
    return { view: { ...rest, typing: { kind, text: text.slice(0, -1) } } };
  }
  if (key !== '\r' && key !== '\n') {
    const printable = key >= ' ' && !key.startsWith('\u001b') ? key : '';
    return { view: { ...rest, typing: { kind, text: text + printable } } };
  }
  if (text === '') return { view: rest };
  if (kind === 'search') return { search: text, from: view.version };
  const version = Number(text);
  return Number.isSafeInteger(version) && version >= 0 && version <= newest
    ? at(rest, version, newest)
    : { view: { ...rest, note: `there are versions 0 to ${newest}, no "${text}"` } };
}
