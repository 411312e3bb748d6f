import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address block, as `10.0.0.0/8`. */
export type Cidr = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Where clouds tell their machines secrets; closed even when an operator opens its block. */
const METADATA: readonly Cidr[] = ['169.254.0.0/16', 'fd00:ec2::254/128', '100.100.100.200/32'].map(
  (text) => ipaddr.parseCIDR(text),
);

/** @throws Error when the text is no address block. */
export function parseCidr(text: string): Cidr {
  return ipaddr.parseCIDR(text);
}

/**
 * Whether the server may connect to an address: a public unicast one, or one that the operator has
 * opened. An IPv4 address inside an IPv6 one counts as what it is.
 */
export function mayConnectTo(address: string, opened: readonly Cidr[]): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  if (METADATA.some((block) => isWithin(parsed, block))) return false;
  return parsed.range() === 'unicast' || opened.some((block) => isWithin(parsed, block));
}

/** Whether the operator has opened the block that an address lies in. */
export function isOpened(address: string, opened: readonly Cidr[]): boolean {
  if (isIP(address) === 0 || !mayConnectTo(address, opened)) return false;
  const parsed = ipaddr.process(address);
  return opened.some((block) => isWithin(parsed, block));
}

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, [block, bits]: Cidr): boolean {
  return address.kind() === block.kind() && address.match(block, bits);
}
