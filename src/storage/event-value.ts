/** What is known of an event whose data was a value before anybody asked for its text. */
interface Known {
  value: object | undefined;
  text: string | undefined;
  /** How to find out, until somebody wants to know. */
  open: (() => object | string) | undefined;
  readonly charactersAbout: number | undefined;
}

const known = new WeakMap<object, Known>();

/** One accessor for all events, so that they keep one hidden class. */
const DATA: PropertyDescriptor & ThisType<object> = {
  enumerable: true,
  configurable: true,
  get(): string {
    const found = opened(known.get(this)!);
    found.text ??= JSON.stringify(found.value);
    return found.text;
  },
};

/**
 * The event with its data: text is made of the value when it is first read, which for most events is
 * never. A copy of the event (`{...event}`) has the text only.
 *
 * @param value must never change again.
 * @param charactersAbout how long its text is, roughly, where that is known.
 */
export function withValue<Event extends { readonly data: string }>(
  event: Omit<Event, 'data'>,
  value: object,
  charactersAbout?: number,
): Event {
  known.set(event, { value, text: undefined, open: undefined, charactersAbout });
  return Object.defineProperty(event, 'data', DATA) as Event;
}

/**
 * As `withValue`, with data that are opened when somebody wants them, which of many events nobody does.
 *
 * @param open is called once at most. What it returns must never change; text where there is no value.
 */
export function withSealed<Event extends { readonly data: string }>(
  event: Omit<Event, 'data'>,
  open: () => object | string,
  charactersAbout: number,
): Event {
  known.set(event, { value: undefined, text: undefined, open, charactersAbout });
  return Object.defineProperty(event, 'data', DATA) as Event;
}

function opened(found: Known): Known {
  if (found.open === undefined) return found;
  const data = found.open();
  found.open = undefined;
  if (typeof data === 'string') found.text = data;
  else found.value = data;
  return found;
}

/** The value that the event's text is made of, if it is at hand. */
export function valueOf(event: { readonly data: string }): object | undefined {
  const found = known.get(event);
  return found && opened(found).value;
}

/** How long the event's text is, roughly; makes no text to find out. */
export function charactersOf(event: { readonly data: string }): number {
  return known.get(event)?.charactersAbout ?? event.data.length;
}
