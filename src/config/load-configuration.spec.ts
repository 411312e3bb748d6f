import { describe, expect, it } from '@jest/globals';
import { ConfigurationError } from './configuration-error.js';
import { loadConfiguration, type Environment } from './load-configuration.js';

const home = { HOME: '/people/ada' };

function messages(env: Environment): string[] {
  try {
    loadConfiguration({ ...home, ...env });
  } catch (error) {
    if (error instanceof ConfigurationError) {
      return error.message.split('\n');
    }
    throw error;
  }
  return [];
}

describe('the configuration from an empty environment', () => {
  it('is complete', () => {
    expect(loadConfiguration(home)).toEqual({
      host: '127.0.0.1',
      port: 4680,
      dataFolder: '/people/ada/.local/share/holdfast',
      keysFolder: '/people/ada/.local/share/holdfast-keys',
      eventStoreUrl: undefined,
      mongodbUrl: undefined,
      logLevel: 'info',
      leaseTtlMs: 30_000,
      noProgressMs: 300_000,
      recoveryMode: 'auto',
      instanceLeaseTtlMs: 10_000,
      bodyBytesMax: 1_048_576,
      toolResultBytesMax: 8_388_608,
      requestTimeoutMs: 30_000,
      tenantRequestsPerSecond: 5_000,
      addressConnectionsMax: 2_000,
      graphqlIntrospection: 'auto',
      redaction: 'on',
      egressOrigins: '',
      egressPrivate: '',
      tlsInFront: 'no',
      jwtTenantClaim: 'tenant',
      jwtRolesClaim: 'roles',
      tenant: 'default',
      url: 'http://127.0.0.1:4680',
      apiKey: undefined,
    });
  });

  it('refuses origins and address blocks that are none', () => {
    const env = {
      ...home,
      HOLDFAST_EGRESS_ORIGINS: 'https://api.example.com/path',
      HOLDFAST_EGRESS_PRIVATE: '10.0.0.0',
    };
    expect(() => loadConfiguration(env)).toThrow(/EGRESS_ORIGINS[^]*EGRESS_PRIVATE/);
  });

  it('takes a wake-up address at a listed origin only', () => {
    const at = (url: string): string[] =>
      messages({
        HOLDFAST_EGRESS_ORIGINS: 'https://agents.example.com',
        HOLDFAST_WAKE_UP_URL: url,
      });
    expect(at('https://agents.example.com/wake?from=holdfast')).toEqual([]);
    expect(at('https://elsewhere.example.com/')).toEqual([
      expect.stringMatching(/HOLDFAST_WAKE_UP_URL .*one of the origins in HOLDFAST_EGRESS_ORIGINS/),
    ]);
    expect(at('ftp://agents.example.com')).toEqual([expect.stringContaining('http or https')]);
    expect(at('https://me:secret@agents.example.com')).toHaveLength(1);
  });

  it('takes empty variables as not set', () => {
    expect(loadConfiguration({ ...home, HOLDFAST_PORT: '', HOLDFAST_API_KEY: ' ' })).toEqual(
      loadConfiguration(home),
    );
  });

  it('follows XDG_DATA_HOME, unless it is relative', () => {
    const at = (dataHome: string): string =>
      loadConfiguration({ ...home, XDG_DATA_HOME: dataHome }).dataFolder;
    expect(at('/data')).toBe('/data/holdfast');
    expect(at('data')).toBe('/people/ada/.local/share/holdfast');
  });
});

describe('a configured value', () => {
  it('is read as its kind', () => {
    const configuration = loadConfiguration({
      HOLDFAST_HOST: '::1',
      HOLDFAST_PORT: '8080',
      HOLDFAST_DATA_DIR: '/srv/holdfast/',
      HOLDFAST_EVENTSTORE_URL: 'esdb://ada:s%3A@one:2113?tls=true',
      HOLDFAST_MONGODB_URL: 'mongodb://ada:s%3A@one:27017,two:27017/agents?replicaSet=rs0',
      HOLDFAST_LOG_LEVEL: 'debug',
      HOLDFAST_API_KEY: 'hf_1_secret',
    });
    expect(configuration).toMatchObject({
      host: '::1',
      port: 8080,
      dataFolder: '/srv/holdfast',
      keysFolder: '/srv/holdfast-keys',
      eventStoreUrl: 'esdb://ada:s%3A@one:2113?tls=true',
      mongodbUrl: 'mongodb://ada:s%3A@one:27017,two:27017/agents?replicaSet=rs0',
      logLevel: 'debug',
      url: 'http://[::1]:8080',
      apiKey: 'hf_1_secret',
    });
  });

  it('makes a relative folder absolute', () => {
    expect(loadConfiguration({ HOLDFAST_DATA_DIR: 'data' }).dataFolder).toBe(
      `${process.cwd()}/data`,
    );
  });

  it('leads the command line to the server of the same machine', () => {
    expect(loadConfiguration({ HOLDFAST_HOST: '0.0.0.0' }).url).toBe('http://127.0.0.1:4680');
    expect(loadConfiguration({ HOLDFAST_URL: 'https://agents.example/hold/' }).url).toBe(
      'https://agents.example/hold',
    );
  });

  it('may be any free port', () => {
    expect(loadConfiguration({ HOLDFAST_PORT: '0' }).port).toBe(0);
  });
});

describe('a wrong configuration', () => {
  it.each([
    ['HOLDFAST_PROT', 'HOLDFAST_PORT'],
    ['HOLDFAST_DATADIR', 'HOLDFAST_DATA_DIR'],
    ['HOLDFAST_LEASE_TTL', 'HOLDFAST_LEASE_TTL_MS'],
    ['HOLDFAST_KEY', 'HOLDFAST_API_KEY'],
  ])('with %s names the nearest known variable', (unknown, known) => {
    expect(messages({ [unknown]: '1' })).toEqual([
      `unknown variable ${unknown}: did you mean ${known}?`,
    ]);
  });

  it.each([
    ['HOLDFAST_PORT', '65536', 'a whole number from 0 to 65535'],
    ['HOLDFAST_PORT', '-1', 'a whole number from 0 to 65535'],
    ['HOLDFAST_PORT', '80.5', 'a whole number from 0 to 65535'],
    ['HOLDFAST_PORT', '0x50', 'a whole number from 0 to 65535'],
    ['HOLDFAST_PORT', '1e3', 'a whole number from 0 to 65535'],
    ['HOLDFAST_LEASE_TTL_MS', '30s', 'a whole number from 1000 to 3600000'],
    ['HOLDFAST_BODY_LIMIT_BYTES', '1 MiB', 'a whole number from 1024 to 67108864'],
    ['HOLDFAST_HOST', '127.0.0.256', 'an IP address or a host name'],
    ['HOLDFAST_HOST', 'http://localhost', 'an IP address or a host name'],
    ['HOLDFAST_LOG_LEVEL', 'verbose', 'one of silent, error, warn, info, debug'],
    ['HOLDFAST_DATA_DIR', '~/data', 'the path of a folder'],
    ['HOLDFAST_URL', 'localhost:4680', 'an http or https address'],
    ['HOLDFAST_URL', 'ftp://example.org', 'an http or https address'],
    ['HOLDFAST_URL', 'http://ada:secret@example.org', 'an http or https address'],
  ])('with %s=%s says what is allowed', (name, value, allowed) => {
    const found = messages({ [name]: value });
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`${name} is ${JSON.stringify(value)}: allowed is ${allowed}`);
  });

  it.each([
    'http://localhost/holdfast',
    'mongodb://',
    'localhost:27017',
    'mongodb://ada:ge heim@localhost',
  ])('with HOLDFAST_MONGODB_URL=%s says what is allowed, and shows no password', (value) => {
    const found = messages({ HOLDFAST_MONGODB_URL: value });
    expect(found).toEqual([
      'HOLDFAST_MONGODB_URL is (hidden): allowed is an address that begins with mongodb:// or ' +
        'mongodb+srv://',
    ]);
  });

  it('with another scheme for the event store says what is allowed, and shows no password', () => {
    expect(messages({ HOLDFAST_EVENTSTORE_URL: 'http://ada:geheim@one' })).toEqual([
      'HOLDFAST_EVENTSTORE_URL is (hidden): allowed is an address that begins with esdb:// or ' +
        'esdb+discover:// or kurrentdb:// or kurrentdb+discover://',
    ]);
  });

  it('never shows a secret', () => {
    const found = messages({ HOLDFAST_API_KEY: 'hf_1 geheim' });
    expect(found).toHaveLength(1);
    expect(found[0]).toContain('HOLDFAST_API_KEY is (hidden)');
    expect(found[0]).not.toContain('geheim');
  });

  it.each(['/srv/data', '/srv/data/keys', '/srv/data/../data/keys'])(
    'with the keys in %s, beside the data they open, is refused',
    (keysFolder) => {
      const found = messages({ HOLDFAST_DATA_DIR: '/srv/data', HOLDFAST_KEYS_DIR: keysFolder });
      expect(found).toHaveLength(1);
      expect(found[0]).toContain('HOLDFAST_KEYS_DIR');
      expect(found[0]).toContain('outside the data folder (HOLDFAST_DATA_DIR)');
    },
  );

  it('may keep the keys next to the data folder', () => {
    expect(messages({ HOLDFAST_DATA_DIR: '/srv/data', HOLDFAST_KEYS_DIR: '/srv/data2' })).toEqual(
      [],
    );
  });

  it('is reported as a whole', () => {
    const found = messages({
      HOLDFAST_PROT: '1',
      HOLDFAST_PORT: 'web',
      HOLDFAST_DATA_DIR: '~/x',
      HOLDFAST_HOST: 'a b',
    });
    expect(found.map((message) => /HOLDFAST_\w+/.exec(message)?.[0])).toEqual([
      'HOLDFAST_PROT',
      'HOLDFAST_HOST',
      'HOLDFAST_PORT',
      'HOLDFAST_DATA_DIR',
    ]);
  });
});
