/** Secrets that all instances of an installation have in common. */
export interface CommonSecrets {
  /** Keeps `proposed` under this name, unless there is one already; answers what is kept. */
  settle(name: string, proposed: string): Promise<string>;
}
