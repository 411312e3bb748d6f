import { StorageOpenError } from '../storage-open-error.js';

/** What the client reads of a connection string; of all others it prints the whole string. */
const OPTIONS = new Set([
  'connectionName',
  'defaultDeadline',
  'discoveryInterval',
  'gossipTimeout',
  'keepAliveInterval',
  'keepAliveTimeout',
  'maxDiscoverAttempts',
  'nodePreference',
  'tls',
  'tlsCAFile',
  'userCertFile',
  'userKeyFile',
]);
const schemes = /^(?:esdb|kurrentdb)(\+discover)?:\/\//;
const host = /^[^\s$+!?*'(),;[\]{}|"%~#<>=&@:/]+(?::\d{1,5})?$/;

export interface ServerAddress {
  /** As the client reads it. */
  readonly url: string;
  /** For people: hosts only, no user and no password. */
  readonly shown: string;
}

/**
 * Checks a connection string of EventStoreDB or KurrentDB more strictly than the client does.
 * @throws StorageOpenError, without anything of the string that may be secret
 */
export function serverAddress(text: string): ServerAddress {
  const discover = schemes.exec(text)?.[1];
  const rest = text.replace(schemes, '');
  if (rest === text) throw badAddress('it begins with esdb:// or esdb+discover://');
  const [authority, query] = splitOnce(rest, '?');
  const at = authority.lastIndexOf('@');
  const hosts = authority.slice(at + 1).replace(/\/+$/, '');
  if (at >= 0 && !/^[^:@/]+:[^:@/]+$/.test(authority.slice(0, at))) {
    throw badAddress('user and password are written user:password@, each percent-encoded');
  }
  if (!hosts.split(',').every((one) => host.test(one))) {
    throw badAddress('hosts are names or IPv4 addresses, with :port or without, between commas');
  }
  for (const option of query === undefined ? [] : query.split('&')) checkOption(option);
  const scheme = `esdb${discover ?? ''}://`;
  return {
    url: `${scheme}${authority.replace(/\/+$/, '')}${query === undefined ? '' : `?${query}`}`,
    shown: `${scheme}${hosts}`,
  };
}

function checkOption(option: string): void {
  const [name, value] = splitOnce(option, '=');
  const known = [...OPTIONS].find((one) => one.toLowerCase() === name.toLowerCase());
  if (known === undefined) {
    throw badAddress(`the options are ${[...OPTIONS].join(', ')}, not "${name.slice(0, 40)}"`);
  }
  if (value === undefined || value === '') throw badAddress(`the option ${known} has no value`);
  const isFlag = known === 'tls';
  const isNumber = /Deadline|Interval|Timeout|Attempts/.test(known);
  if (isFlag && value !== 'true' && value !== 'false') throw badAddress('tls is true or false');
  if (isNumber && !/^\d{1,9}$/.test(value)) throw badAddress(`${known} is a whole number`);
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function badAddress(rule: string): StorageOpenError {
  return new StorageOpenError(
    'badAddress',
    `HOLDFAST_EVENTSTORE_URL is not the address of an EventStoreDB: ${rule}`,
  );
}
