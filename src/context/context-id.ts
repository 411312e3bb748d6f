/** Where a context came from: with it any context can be built again and held against its hash. */
export interface ContextOrigin {
  /** Revision of the session that it was built at. */
  readonly revision: number;
  /** Address of what was rendered fresh: instructions, tools, format, date, budget, options. */
  readonly renderingHash: string;
  /** Keyed hash of the bytes that are sent; its first 40 hex digits stand in the id. */
  readonly contentHash: string;
}

const CONTENT_DIGITS = 40;
const CONTEXT_ID = /^(0|[1-9]\d{0,15})\.([0-9a-f]{64})\.([0-9a-f]{40})$/;

/** At most 128 characters: `<revision>.<rendering>.<content>`. */
export function contextIdOf({ revision, renderingHash, contentHash }: ContextOrigin): string {
  return `${revision}.${renderingHash}.${contentHash.slice(0, CONTENT_DIGITS)}`;
}

/** Undefined for a text that is no id of a context that Holdfast has built. */
export function originOf(contextId: string): ContextOrigin | undefined {
  const [, revision, renderingHash, contentHash] = CONTEXT_ID.exec(contextId) ?? [];
  if (renderingHash === undefined || contentHash === undefined) return undefined;
  return { revision: Number(revision), renderingHash, contentHash };
}

export function isContentOf(origin: ContextOrigin, contentHash: string): boolean {
  return contentHash.slice(0, CONTENT_DIGITS) === origin.contentHash;
}
