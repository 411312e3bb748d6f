import { type Cidr, parseCidr } from './public-address.js';

/** Where the server may send requests. Nothing is allowed that is not listed. */
export interface EgressPolicy {
  /** Exact origins, normalised: `https://api.example.com`, `https://api.example.com:8443`. */
  readonly origins: ReadonlySet<string>;
  /** Address blocks that are not public and may be reached all the same. */
  readonly openedBlocks: readonly Cidr[];
}

/** As many names can be resolved and tried for a list that somebody has to read. */
const LISTED_MAX = 1_000;

/**
 * From comma-separated lists, as in HOLDFAST_EGRESS_ORIGINS and HOLDFAST_EGRESS_PRIVATE.
 * @throws Error that names the first entry which is not allowed.
 */
export function egressPolicy(origins: string, openedBlocks: string): EgressPolicy {
  return {
    origins: new Set(entriesOf(origins).map(originOf)),
    openedBlocks: entriesOf(openedBlocks).map(blockOf),
  };
}

function entriesOf(list: string): readonly string[] {
  const entries = list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  if (entries.length > LISTED_MAX) throw new Error(`at most ${LISTED_MAX} entries`);
  return entries;
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin =
    (url?.protocol === 'https:' || url?.protocol === 'http:') &&
    url.username === '' &&
    url.password === '' &&
    url.pathname === '/' &&
    url.search === '' &&
    url.hash === '' &&
    !url.hostname.endsWith('.');
  if (url === undefined || !isOrigin) {
    throw new Error(`${JSON.stringify(text)} is no origin such as https://api.example.com`);
  }
  return url.origin;
}

function blockOf(text: string): Cidr {
  try {
    return parseCidr(text);
  } catch {
    throw new Error(`${JSON.stringify(text)} is no address block such as 10.0.0.0/8`);
  }
}
