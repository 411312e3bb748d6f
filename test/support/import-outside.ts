interface Outside {
  /** Given by outside-environment.mjs. */
  readonly importOutside: (specifier: string) => Promise<unknown>;
  readonly atTheEnd: (ending: () => unknown) => void;
}

/**
 * A package, or a `node:` module, loaded by Node itself, once per worker: Jest would load it and everything
 * below it anew for each file. Its errors and arrays are of another realm than the test's.
 */
export async function importOutside<Module>(specifier: string): Promise<Module> {
  return (await (globalThis as unknown as Outside).importOutside(specifier)) as Module;
}

/** What is done when everything of the test file is over, its last `afterAll` too. */
export function atTheEnd(ending: () => unknown): void {
  (globalThis as unknown as Outside).atTheEnd(ending);
}

/** A module of the built program, by its path in `dist`; see {@link importOutside}. */
export function importBuilt<Module>(path: string): Promise<Module> {
  return importOutside(new URL(`../../dist/${path}`, import.meta.url).href);
}
