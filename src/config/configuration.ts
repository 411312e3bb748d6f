import { FromVariable, OneOfOrigins, OutsideFolder } from './from-variable.js';
import type { LogLevel } from './configuration-variables.js';

/** The checked configuration. Folders are absolute; sizes are in bytes, durations in milliseconds. */
export class Configuration {
  @FromVariable('host')
  readonly host!: string;

  @FromVariable('port')
  readonly port!: number;

  @FromVariable('dataFolder')
  readonly dataFolder!: string;

  @OutsideFolder('dataFolder')
  @FromVariable('keysFolder')
  readonly keysFolder!: string;

  /** Absent: events are in the data folder. */
  /** Absent: nowhere. */
  @FromVariable('checkpointCopy')
  readonly checkpointCopy?: string;

  @FromVariable('eventStoreUrl')
  readonly eventStoreUrl?: string;

  /** Absent: the read side is in the data folder. */
  @FromVariable('mongodbUrl')
  readonly mongodbUrl?: string;

  @FromVariable('logLevel')
  readonly logLevel!: LogLevel;

  @FromVariable('leaseTtlMs')
  readonly leaseTtlMs!: number;

  @FromVariable('instanceLeaseTtlMs')
  readonly instanceLeaseTtlMs!: number;

  @FromVariable('noProgressMs')
  readonly noProgressMs!: number;

  @FromVariable('recoveryMode')
  readonly recoveryMode!: 'auto' | 'manual';

  @FromVariable('bodyBytesMax')
  readonly bodyBytesMax!: number;

  @FromVariable('toolResultBytesMax')
  readonly toolResultBytesMax!: number;

  @FromVariable('requestTimeoutMs')
  readonly requestTimeoutMs!: number;

  @FromVariable('tenantRequestsPerSecond')
  readonly tenantRequestsPerSecond!: number;

  @FromVariable('addressConnectionsMax')
  readonly addressConnectionsMax!: number;

  @FromVariable('graphqlIntrospection')
  readonly graphqlIntrospection!: 'auto' | 'yes' | 'no';

  @FromVariable('egressOrigins')
  readonly egressOrigins!: string;

  @FromVariable('egressPrivate')
  readonly egressPrivate!: string;

  /** Absent: nobody is told that there is work. */
  @OneOfOrigins('egressOrigins')
  @FromVariable('wakeUpUrl')
  readonly wakeUpUrl?: string;

  /** Absent: tokens are estimated. */
  @FromVariable('tokenizer')
  readonly tokenizer?: string;

  @FromVariable('tlsInFront')
  readonly tlsInFront!: 'no' | 'yes';

  @FromVariable('redaction')
  readonly redaction!: 'on' | 'off';

  /** Absent, as the two below it: no tokens are taken. */
  @FromVariable('jwtIssuer')
  readonly jwtIssuer?: string;

  @FromVariable('jwtAudience')
  readonly jwtAudience?: string;

  @OneOfOrigins('egressOrigins')
  @FromVariable('jwtKeysUrl')
  readonly jwtKeysUrl?: string;

  @FromVariable('jwtTenantClaim')
  readonly jwtTenantClaim!: string;

  @FromVariable('jwtRolesClaim')
  readonly jwtRolesClaim!: string;

  /** Without a slash at the end. */
  @FromVariable('url')
  readonly url!: string;

  @FromVariable('tenant')
  readonly tenant!: string;

  @FromVariable('apiKey')
  readonly apiKey?: string;
}
