import { join } from 'node:path';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ALARMS, type Alarm } from '../alarms.js';
import type { Configuration } from '../config/configuration.js';
import { Egress } from '../egress/egress.js';
import { egressPolicy } from '../egress/egress-policy.js';
import { secretsIn } from '../egress/egress-secrets.js';
import { type NamedProbe, NamedProbes } from '../egress/named-probes.js';
import { MeasuredEventStore } from '../health/measured-event-store.js';
import { Metrics } from '../health/metrics.js';
import type { Tokenizer } from '../context/tokenizer.js';
import { EventCodec } from '../storage/event-codec.js';
import type { Ports } from './ports.js';
import {
  ARTIFACTS,
  CLOCK,
  CODEC,
  CONFIGURATION,
  type Clock,
  CHECKPOINTS,
  ERASER,
  SEALED_EVENTS,
  EVENT_STORE,
  HASHER,
  KEY_CHECK,
  LEASES,
  MONOTONIC,
  READ_MODELS,
  TOKENIZER,
} from '../tokens.js';

export interface PortsOptions {
  readonly ports: Ports;
  readonly configuration: Configuration;
  readonly clock?: Clock;
  /** Default: tokens are estimated. */
  readonly tokenizer?: Tokenizer;
  /** What a manifest may name as its `namedProbe`. Every program on one store needs the same. */
  readonly probes?: Readonly<Record<string, NamedProbe>>;
}

/** Binds each port's token to the adapter that was opened. */
@Global()
@Module({})
export class PortsModule {
  static with(options: PortsOptions): DynamicModule {
    const { ports, configuration, clock = Date.now, tokenizer, probes } = options;
    const metrics = new Metrics();
    const providers = [
      { provide: Metrics, useValue: metrics },
      { provide: ALARMS, useValue: (alarm: Alarm) => metrics.alarm(alarm) },
      { provide: EVENT_STORE, useValue: new MeasuredEventStore(ports.events, metrics) },
      { provide: READ_MODELS, useValue: ports.readModels },
      { provide: LEASES, useValue: ports.leases },
      { provide: ARTIFACTS, useValue: ports.artifacts },
      { provide: SEALED_EVENTS, useValue: ports.sealedEvents },
      { provide: CHECKPOINTS, useValue: ports.checkpoints },
      { provide: ERASER, useValue: ports.eraser },
      { provide: HASHER, useValue: ports.hasher },
      { provide: KEY_CHECK, useValue: ports.isKey },
      { provide: CODEC, useValue: new EventCodec() },
      { provide: CLOCK, useValue: clock },
      { provide: MONOTONIC, useValue: clock === Date.now ? () => performance.now() : clock },
      { provide: CONFIGURATION, useValue: configuration },
      { provide: Egress, useValue: egressOf(configuration) },
      { provide: NamedProbes, useValue: new NamedProbes(probes) },
      { provide: TOKENIZER, useValue: tokenizer },
    ];
    return { module: PortsModule, providers, exports: providers };
  }
}

/** The only way out of the process, as far as the operator has opened it. */
function egressOf({ egressOrigins, egressPrivate, keysFolder }: Configuration): Egress {
  const secrets = secretsIn(join(keysFolder, 'egress-secrets.json'));
  return new Egress(egressPolicy(egressOrigins, egressPrivate), secrets);
}
