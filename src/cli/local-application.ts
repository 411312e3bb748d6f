import 'reflect-metadata';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { openPorts } from '../app/open-ports.js';
import { HoldfastModule } from '../app/holdfast.module.js';
import { loadTokenizer } from '../app/load-tokenizer.js';
import type { Ports } from '../app/ports.js';
import { ProcessLogger } from '../app/process-logger.js';
import type { CommandScope } from '../commands/command-scope.js';
import type { Configuration } from '../config/configuration.js';
import { loadConfiguration } from '../config/load-configuration.js';
import { EventCodec } from '../storage/event-codec.js';
import { refuseMissingStore } from './has-store.js';
import { localActor } from './local-actor.js';

/** Holdfast in this process, on the configured data folder; a server may work on it too. */
export interface LocalApplication {
  readonly configuration: Configuration;
  readonly ports: Ports;
  readonly codec: EventCodec;
  readonly commands: CommandBus;
  readonly queries: QueryBus;
  readonly context: INestApplicationContext;
  scope(sessionId: string): CommandScope;
}

/** Opens the data folder, does the work, closes. Nothing listens on the network. */
export async function withLocalApplication<T>(
  work: (application: LocalApplication) => Promise<T>,
): Promise<T> {
  const configuration = loadConfiguration(process.env);
  const tokenizer = await loadTokenizer(configuration.tokenizer);
  const ports = await openPorts(configuration);
  const logger = new ProcessLogger(
    configuration.logLevel === 'info' ? 'warn' : configuration.logLevel,
  );
  try {
    const context = await NestFactory.createApplicationContext(
      HoldfastModule.with({ ports, configuration, tokenizer }),
      { logger, abortOnError: false },
    );
    try {
      return await work({
        configuration,
        ports,
        codec: new EventCodec(),
        commands: context.get(CommandBus),
        queries: context.get(QueryBus),
        context,
        scope: (sessionId) => ({
          tenantId: configuration.tenant,
          sessionId,
          actor: localActor(),
        }),
      });
    } finally {
      await context.close();
    }
  } finally {
    await ports.close();
  }
}

/** The same, for what works on sessions that are there: a mistyped folder makes no new store. */
export async function withExistingStore<T>(
  work: (application: LocalApplication) => Promise<T>,
): Promise<T> {
  refuseMissingStore(loadConfiguration(process.env));
  return withLocalApplication(work);
}

/** The position up to which a read must go to contain everything that is in the log now. */
export async function currentPosition(application: LocalApplication): Promise<string> {
  return String(await application.ports.events.headPosition());
}
