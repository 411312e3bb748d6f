/** From an old stored shape to the next one. The result has another stored name, always. */
export interface Upcaster {
  readonly to: string;
  readonly upcast: (data: unknown) => unknown;
}

export type Upcasters = Readonly<Record<string, Upcaster>>;

/**
 * Checks a set of upcasters when it is made: one that keeps its name would run for ever.
 * @throws TypeError naming the stored name.
 */
export function defineUpcasters(upcasters: Upcasters): Upcasters {
  for (const storedName of Object.keys(upcasters)) {
    const seen = new Set([storedName]);
    for (let next = upcasters[storedName]; next; next = upcasters[next.to]) {
      if (seen.has(next.to)) {
        throw new TypeError(`the upcaster of ${storedName} leads back to ${next.to}`);
      }
      seen.add(next.to);
    }
  }
  return Object.assign(Object.create(null) as Record<string, Upcaster>, upcasters);
}

/** No stored shape has been replaced yet. */
export const upcasters = defineUpcasters({});
