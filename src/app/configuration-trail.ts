import { Inject, Injectable, Logger, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Configuration } from '../config/configuration.js';
import { configurationVariables, type VariableKey } from '../config/configuration-variables.js';
import { loadConfiguration } from '../config/load-configuration.js';
import type { TrailEvent } from '../domain/audit/trail-events.js';
import { auditStream } from '../identity/derived-ids.js';
import type { EventStore } from '../storage/event-store.js';
import { decodeTrailEvent } from '../storage/trail-event-codec.js';
import { CONFIGURATION, EVENT_STORE } from '../tokens.js';
import { DEFAULT_TENANT } from '../identity/default-tenant.js';

const TYPE = 'ConfigurationChanged';

/** What guards the installation. Places, ports and whatever can hold a password are left out. */
const WATCHED = [
  'host',
  'tlsInFront',
  'redaction',
  'graphqlIntrospection',
  'egressOrigins',
  'egressPrivate',
  'jwtIssuer',
  'jwtAudience',
  'jwtTenantClaim',
  'jwtRolesClaim',
  'bodyBytesMax',
  'toolResultBytesMax',
  'requestTimeoutMs',
  'tenantRequestsPerSecond',
  'addressConnectionsMax',
] as const satisfies readonly (VariableKey & keyof Configuration)[];

type Settings = Extract<TrailEvent, { readonly type: typeof TYPE }>['data']['settings'];

/** Records at a server's start that it is set differently from the one before it. */
@Injectable()
export class ConfigurationTrail implements OnApplicationBootstrap {
  private readonly log = new Logger(ConfigurationTrail.name);

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    @Inject(EVENT_STORE) private readonly events: EventStore,
    private readonly trail: AuditTrail,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    try {
      await this.recordChange();
    } catch (error) {
      this.log.error(`a change of the configuration was not recorded: ${String(error)}`);
    }
  }

  private async recordChange(): Promise<void> {
    const settings = settingsOf(this.configuration);
    const before = await this.lastRecorded();
    const names = new Set([...Object.keys(before), ...Object.keys(settings)]);
    const changed = [...names].filter((name) => before[name] !== settings[name]).toSorted();
    if (changed.length === 0) return;
    const sender = { tenantId: DEFAULT_TENANT, actor: 'local' };
    await this.trail.record(sender, { type: TYPE, data: { changed, settings } });
  }

  /** Nothing was recorded: all was as it is by default. */
  private async lastRecorded(): Promise<Settings> {
    const [stored] = await this.events.read(auditStream(DEFAULT_TENANT), {
      from: Number.MAX_SAFE_INTEGER,
      direction: 'backwards',
      maxCount: 1,
      types: [TYPE],
    });
    const event = stored && decodeTrailEvent(stored);
    return event?.type === TYPE ? event.data.settings : {};
  }
}

/** By the names of their variables: those that are not as they are by default. */
function settingsOf(configuration: Configuration): Settings {
  const defaults = loadConfiguration({});
  return Object.fromEntries(
    WATCHED.flatMap((key) => {
      const value = configuration[key];
      const isSet = value !== undefined && value !== defaults[key];
      return isSet ? [[configurationVariables[key].name, value]] : [];
    }),
  );
}

@Module({ imports: [AuditModule], providers: [ConfigurationTrail] })
export class ConfigurationTrailModule {}
