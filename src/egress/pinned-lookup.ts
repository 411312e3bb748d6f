import { type LookupAddress, lookup as resolveName } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { EgressError } from './egress-error.js';
import { type Cidr, isOpened, mayConnectTo } from './public-address.js';

/** `dns.lookup` with `all`, replaceable for tests of names that change their address. */
export type Resolver = (host: string) => Promise<readonly LookupAddress[]>;

export const systemResolver: Resolver = (host) =>
  new Promise((resolve, reject) => {
    resolveName(host, { all: true, verbatim: true }, (error, addresses) =>
      error === null ? resolve(addresses) : reject(error),
    );
  });

interface AddressRules {
  readonly openedBlocks: readonly Cidr[];
  /** Without TLS: only addresses that the operator has opened, never public ones. */
  readonly openedOnly: boolean;
}

/**
 * Resolves once, checks every address of the name, and hands exactly the checked ones to the
 * connection: a second look-up could answer something else.
 */
export function pinnedLookup(resolver: Resolver, rules: AddressRules): LookupFunction {
  const checked = callbackify((host: string) => checkedAddresses(host, resolver, rules));
  return (host, options, done) => {
    checked(host, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) done(error ?? notAllowed(host), '', 0);
      else if (options.all === true) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}

async function checkedAddresses(
  host: string,
  resolver: Resolver,
  rules: AddressRules,
): Promise<LookupAddress[]> {
  const addresses = await resolver(host);
  if (addresses.some(({ address }) => !isAllowed(address, rules))) throw notAllowed(host);
  return [...addresses];
}

export function isAllowed(address: string, { openedBlocks, openedOnly }: AddressRules): boolean {
  return openedOnly ? isOpened(address, openedBlocks) : mayConnectTo(address, openedBlocks);
}

export function notAllowed(host: string): EgressError {
  return new EgressError('addressNotAllowed', `${host} is or resolves to a forbidden address`);
}
