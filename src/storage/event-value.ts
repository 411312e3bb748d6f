/** What is known of an event whose data was a value before anybody asked for its text. */
interface Known {
  readonly value: object;
  text: string | undefined;
  readonly charactersAbout: number | undefined;
}

const known = new WeakMap<object, Known>();

/** One accessor for all events, so that they keep one hidden class. */
const DATA: PropertyDescriptor & ThisType<object> = {
  enumerable: true,
  configurable: true,
  get(): string {
    const { text, value } = known.get(this)!;
    if (text !== undefined) return text;
    const made = JSON.stringify(value);
    known.get(this)!.text = made;
    return made;
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
  known.set(event, { value, text: undefined, charactersAbout });
  return Object.defineProperty(event, 'data', DATA) as Event;
}

/** The value that the event's text is made of, if it is at hand. */
export function valueOf(event: { readonly data: string }): object | undefined {
  return known.get(event)?.value;
}

/** How long the event's text is, roughly; makes no text to find out. */
export function charactersOf(event: { readonly data: string }): number {
  return known.get(event)?.charactersAbout ?? event.data.length;
}
