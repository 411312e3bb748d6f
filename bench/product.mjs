import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommandBus, CqrsModule, QueryBus } from '@nestjs/cqrs';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const PARTS = [
  'app/open-ports.js',
  'app/ports.module.js',
  'commands/accept-input/accept-input.handler.js',
  'commands/claim-run/claim-run.handler.js',
  'commands/commands.module.js',
  'commands/compact/compact.handler.js',
  'commands/end-run/end-run.handler.js',
  'commands/fork-session/fork-session.handler.js',
  'commands/record-step/record-step.handler.js',
  'commands/restore-session/restore-session.handler.js',
  'commands/session-repository.js',
  'commands/start-session/start-session.handler.js',
  'config/load-configuration.js',
  'identity/derived-ids.js',
  'projections/all-projections.js',
  'projections/batch-fold.js',
  'projections/cost-tree/cost-chain.js',
  'projections/cost-tree/cost-tree-projection.js',
  'projections/cost-tree/figures.js',
  'projections/generation.js',
  'projections/projection.js',
  'storage/event-codec.js',
];

export const TENANT = 'default';
const ACTOR = 'bench';

/** The classes and functions of a build of Holdfast, by name. */
export async function loadBuild(dist) {
  const modules = await Promise.all(
    PARTS.map((part) => import(pathToFileURL(join(dist, part)).href)),
  );
  return Object.assign({}, ...modules);
}

/**
 * Holdfast in this process, on a data folder: commands and queries as the server has them, without
 * the network, and without projections, which are measured by workloads of their own.
 */
export async function openProduct(build, folder, stores = {}) {
  const environment = {
    ...stores,
    HOLDFAST_DATA_DIR: join(folder, 'data'),
    HOLDFAST_KEYS_DIR: join(folder, 'keys'),
  };
  const configuration = build.loadConfiguration(environment);
  const ports = await build.openPorts(configuration);
  class BenchModule {}
  Module({
    imports: [
      CqrsModule.forRoot(),
      build.PortsModule.with({ ports, configuration }),
      build.CommandsModule,
    ],
  })(BenchModule);
  const context = await NestFactory.createApplicationContext(BenchModule, { logger: false });
  return new Product(build, ports, configuration, context);
}

export class Product {
  constructor(build, ports, configuration, context) {
    this.build = build;
    this.ports = ports;
    this.configuration = configuration;
    this.context = context;
    this.commands = context.get(CommandBus);
    this.queries = context.get(QueryBus);
    this.sessions = context.get(build.SessionRepository, { strict: false });
  }

  scope(sessionId) {
    return { tenantId: TENANT, sessionId, actor: ACTOR };
  }

  stream(sessionId) {
    return this.build.sessionStream(TENANT, sessionId);
  }

  send(command, sessionId, body) {
    return this.commands.execute(new this.build[command](this.scope(sessionId), body));
  }

  get eventFile() {
    const { dataFolder } = this.configuration;
    const name = readdirSync(dataFolder).find((file) => /^events\.(db|sqlite)$/.test(file));
    if (name === undefined) throw new Error(`${dataFolder} holds no event database`);
    return join(dataFolder, name);
  }

  async close() {
    await this.context.close();
    await this.ports.close();
  }
}
