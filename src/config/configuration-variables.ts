import { recoveryVariables } from './recovery-variables.js';
import type { Variable } from './variable.js';

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** What Holdfast reads from the environment: declared once, for reading, checking and the page. */
export const configurationVariables = {
  host: {
    name: 'HOLDFAST_HOST',
    usedBy: 'server',
    kind: 'host',
    default: '127.0.0.1',
    meaning:
      'Address to listen on. Anything but a loopback address makes the server reachable from ' +
      'other machines.',
  },
  port: {
    name: 'HOLDFAST_PORT',
    usedBy: 'server',
    kind: 'wholeNumber',
    min: 0,
    max: 65_535,
    default: '4680',
    meaning: 'TCP port to listen on; 0 takes any free one.',
  },
  dataFolder: {
    name: 'HOLDFAST_DATA_DIR',
    usedBy: 'server',
    kind: 'folder',
    defaultText: '`$XDG_DATA_HOME/holdfast`, or `~/.local/share/holdfast`',
    meaning: 'Folder of the embedded store: events, read models and artifacts.',
  },
  keysFolder: {
    name: 'HOLDFAST_KEYS_DIR',
    usedBy: 'server',
    kind: 'folder',
    defaultText: 'the data folder with `-keys` behind its name',
    meaning:
      'Folder of the API keys and the data keys. It lies outside the data folder, so that a copy ' +
      'of the data holds no key that opens it.',
  },
  checkpointCopy: {
    name: 'HOLDFAST_CHECKPOINT_COPY',
    usedBy: 'server',
    kind: 'optionalText',
    defaultText: 'none: checkpoints stand in the keys folder only',
    meaning:
      'Where each signed checkpoint of the log is written as well: the absolute path of a file that ' +
      'whoever administers the database cannot write, or `stdout`.',
  },
  eventStoreUrl: {
    name: 'HOLDFAST_EVENTSTORE_URL',
    usedBy: 'server',
    kind: 'storeUrl',
    schemes: ['esdb', 'esdb+discover', 'kurrentdb', 'kurrentdb+discover'],
    defaultText: 'none: events are in the data folder',
    meaning:
      'EventStoreDB or KurrentDB for all events, as the connection string of its client: ' +
      '`esdb://user:password@host:2113?tls=true`.',
  },
  mongodbUrl: {
    name: 'HOLDFAST_MONGODB_URL',
    usedBy: 'server',
    kind: 'storeUrl',
    schemes: ['mongodb', 'mongodb+srv'],
    defaultText: 'none: read models, leases and artifacts are in the data folder',
    meaning:
      'MongoDB for read models, leases, artifacts and the keys that all instances share. The ' +
      'database is the one that the address names, or `holdfast`; the keys are in a second one, ' +
      'with `_keys` behind its name.',
  },
  logLevel: {
    name: 'HOLDFAST_LOG_LEVEL',
    usedBy: 'server',
    kind: 'choice',
    choices: logLevels,
    default: 'info',
    meaning: 'The least important messages that are still logged.',
  },
  ...recoveryVariables,
  bodyBytesMax: {
    name: 'HOLDFAST_BODY_LIMIT_BYTES',
    usedBy: 'server',
    kind: 'wholeNumber',
    min: kibibyte,
    max: 64 * mebibyte,
    default: String(mebibyte),
    meaning: 'Largest request body, in bytes. A larger one is refused with 413.',
  },
  toolResultBytesMax: {
    name: 'HOLDFAST_TOOL_RESULT_LIMIT_BYTES',
    usedBy: 'server',
    kind: 'wholeNumber',
    min: kibibyte,
    max: 64 * mebibyte,
    default: String(8 * mebibyte),
    meaning: 'Largest body on the route for tool results, in bytes.',
  },
  requestTimeoutMs: {
    name: 'HOLDFAST_REQUEST_TIMEOUT_MS',
    usedBy: 'server',
    kind: 'wholeNumber',
    min: 1_000,
    max: 600_000,
    default: '30000',
    meaning: 'Milliseconds that a client has to send its request.',
  },
  tenantRequestsPerSecond: {
    name: 'HOLDFAST_TENANT_REQUESTS_PER_SECOND',
    usedBy: 'server',
    kind: 'wholeNumber',
    min: 1,
    max: 1_000_000,
    default: '5000',
    meaning:
      'Requests of one tenant that an instance answers in a second; more get a 429 that says when to ' +
      'come again.',
  },
  addressConnectionsMax: {
    name: 'HOLDFAST_CONNECTIONS_PER_ADDRESS',
    usedBy: 'server',
    kind: 'wholeNumber',
    min: 1,
    max: 1_000_000,
    default: '2000',
    meaning:
      'Open connections from one network address; more are closed at once. Behind a proxy all come ' +
      'from its address.',
  },
  graphqlIntrospection: {
    name: 'HOLDFAST_GRAPHQL_INTROSPECTION',
    usedBy: 'server',
    kind: 'choice',
    choices: ['auto', 'yes', 'no'],
    default: 'auto',
    meaning:
      'Whether `/graphql` tells its schema, suggests names for misspelt ones and serves the query ' +
      'page. `auto`: only while HOLDFAST_HOST is a loopback address.',
  },
  egressOrigins: {
    name: 'HOLDFAST_EGRESS_ORIGINS',
    usedBy: 'server',
    kind: 'origins',
    default: '',
    defaultText: 'none: the server sends no request',
    meaning:
      'Where the server may send requests of its own (status queries, voids, wake-ups): exact ' +
      'origins, comma-separated, such as `https://api.example.com`.',
  },
  egressPrivate: {
    name: 'HOLDFAST_EGRESS_PRIVATE',
    usedBy: 'server',
    kind: 'addressBlocks',
    default: '',
    defaultText: 'none',
    meaning:
      'Address blocks that are not public and may be reached all the same, comma-separated, such ' +
      'as `10.1.0.0/16`. An `http` origin is reached only inside of them. Addresses at which ' +
      'clouds serve credentials stay closed.',
  },
  wakeUpUrl: {
    name: 'HOLDFAST_WAKE_UP_URL',
    usedBy: 'server',
    kind: 'egressUrl',
    defaultText: 'none: workers wait for work',
    meaning:
      'Where the server tells, signed, that sessions have work. Its origin is one of ' +
      'HOLDFAST_EGRESS_ORIGINS.',
  },
  tokenizer: {
    name: 'HOLDFAST_TOKENIZER',
    usedBy: 'server',
    kind: 'module',
    defaultText: 'tokens are estimated',
    meaning:
      'Module that exports a `tokenizer`, which then counts the tokens of a context exactly.',
  },
  tlsInFront: {
    name: 'HOLDFAST_TLS_IN_FRONT',
    usedBy: 'server',
    kind: 'choice',
    choices: ['no', 'yes'],
    default: 'no',
    meaning:
      '`yes` declares that requests from other machines come through a proxy that ends TLS, or ' +
      'over a network where nobody listens: only then may HOLDFAST_HOST be more than loopback.',
  },
  redaction: {
    name: 'HOLDFAST_REDACTION',
    usedBy: 'server',
    kind: 'choice',
    choices: ['on', 'off'],
    default: 'on',
    meaning:
      '`off`: keys, tokens and passwords in contents are stored as they come. What is stored once ' +
      'can only be erased with its whole session.',
  },
  jwtIssuer: {
    name: 'HOLDFAST_JWT_ISSUER',
    usedBy: 'server',
    kind: 'optionalText',
    defaultText: 'none: only keys open the API',
    meaning:
      'Whose access tokens (JWT) open the API beside keys: the exact `iss` of an OpenID Connect ' +
      'provider. The audience and the address of its keys must be set, too.',
  },
  jwtAudience: {
    name: 'HOLDFAST_JWT_AUDIENCE',
    usedBy: 'server',
    kind: 'optionalText',
    defaultText: 'none',
    meaning: 'The `aud` that such a token must be meant for.',
  },
  jwtKeysUrl: {
    name: 'HOLDFAST_JWT_KEYS_URL',
    usedBy: 'server',
    kind: 'egressUrl',
    defaultText: 'none',
    meaning:
      "Where the provider's public keys are (JWKS). Its origin is one of HOLDFAST_EGRESS_ORIGINS.",
  },
  jwtTenantClaim: {
    name: 'HOLDFAST_JWT_TENANT_CLAIM',
    usedBy: 'server',
    kind: 'text',
    default: 'tenant',
    meaning: "The claim that names the sender's tenant.",
  },
  jwtRolesClaim: {
    name: 'HOLDFAST_JWT_ROLES_CLAIM',
    usedBy: 'server',
    kind: 'text',
    default: 'roles',
    meaning: 'The claim that lists the roles; what is no role of Holdfast in it is passed over.',
  },
  url: {
    name: 'HOLDFAST_URL',
    usedBy: 'client',
    kind: 'url',
    defaultText: '`http://127.0.0.1:4680`, with host and port of the variables above',
    meaning:
      'The server that clients such as the examples speak to. The command line works on the stores.',
  },
  tenant: {
    name: 'HOLDFAST_TENANT',
    usedBy: 'client',
    kind: 'tenantId',
    default: 'default',
    meaning: 'The tenant that the command line works for where it works on the data folder.',
  },
  apiKey: {
    name: 'HOLDFAST_API_KEY',
    usedBy: 'client',
    kind: 'secret',
    defaultText: 'none',
    meaning: 'The key that such clients show to the server. It is never printed.',
  },
} as const satisfies Readonly<Record<string, Variable>>;

export type VariableKey = keyof typeof configurationVariables;
