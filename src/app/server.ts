import { type DynamicModule, Logger, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { ApiModule } from '../api/api.module.js';
import { apiDocument } from '../api/api-document.js';
import { authenticateFirst } from '../api/authenticate-first.js';
import { Authentication } from '../api/authentication.js';
import { serveGraphql } from '../api/graphql/graphql-endpoint.js';
import { readBytesOfUploads } from '../api/byte-body.js';
import { readJsonBodiesOnly } from '../api/json-body.js';
import { isLoopback, refuseForeignOrigin } from '../api/origin.js';
import { problemOf } from '../api/problem.filter.js';
import type { Configuration } from '../config/configuration.js';
import { CheckpointsModule } from './checkpoints-in-background.js';
import { ConfigurationTrailModule } from './configuration-trail.js';
import { HoldfastModule } from './holdfast.module.js';
import { refuseOtherMethods } from './allowed-methods.js';
import { limitConnections } from './limit-connections.js';
import { ProcessLogger } from './process-logger.js';
import { refuseUnreadable } from './unreadable-request.js';
import type { PortsOptions } from './ports.module.js';

@Module({})
class ServerModule {
  static with(options: PortsOptions): DynamicModule {
    return {
      module: ServerModule,
      imports: [
        HoldfastModule.with(options),
        ApiModule,
        CheckpointsModule,
        ConfigurationTrailModule,
      ],
    };
  }
}

const HEAD_BYTES_MAX = 16 * 1_024;
const HEAD_MS_MAX = 10_000;
const TOOL_RESULT_ROUTES = /\/tool-calls\/:callId\/(result|late-result)$/;

/** The HTTP application, not listening yet. */
export async function createServer(options: PortsOptions): Promise<NestFastifyApplication> {
  const { configuration } = options;
  const adapter = new FastifyAdapter({
    bodyLimit: configuration.bodyBytesMax,
    requestTimeout: configuration.requestTimeoutMs,
    http: {
      maxHeaderSize: HEAD_BYTES_MAX,
      headersTimeout: Math.min(HEAD_MS_MAX, configuration.requestTimeoutMs),
      // How late a request that is overdue can be noticed.
      connectionsCheckingInterval: 1_000,
    },
    routerOptions: { maxParamLength: 256 },
    forceCloseConnections: 'idle',
    // What still comes over an open connection while the server ends is served, then it is closed.
    return503OnClosing: false,
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: (error: unknown, _: unknown, reply: FastifyReply) => sendProblem(reply, error),
  });
  limitConnections(adapter.getInstance(), configuration.addressConnectionsMax);
  guardRequests(adapter, configuration);
  refuseOtherMethods(adapter.getInstance());
  readJsonBodiesOnly(adapter.getInstance());
  readBytesOfUploads(adapter.getInstance());
  const app = await NestFactory.create<NestFastifyApplication>(
    ServerModule.with(options),
    adapter,
    { logger: new ProcessLogger(configuration.logLevel), abortOnError: false, bodyParser: false },
  );
  authenticateFirst(adapter.getInstance(), app.get(Authentication));
  const document = apiDocument(app);
  serveGraphql(app, document, configuration);
  adapter.getInstance().get('/openapi.json', async (_, reply) => reply.send(document));
  return app;
}

/** What holds for every request, before anything of it is read. */
function guardRequests(adapter: FastifyAdapter, configuration: Configuration): void {
  const fastify = adapter.getInstance();
  fastify.addHook('onRoute', (route) => {
    if (TOOL_RESULT_ROUTES.test(route.url)) route.bodyLimit = configuration.toolResultBytesMax;
  });
  const log = new Logger('Request');
  // The route's pattern, never the address: that may hold what people wrote.
  fastify.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request;
    const took = `${reply.statusCode} in ${Math.round(reply.elapsedTime)} ms`;
    log.debug(`${method} ${routeOptions.url ?? 'nothing here'} ${took}`);
    done();
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.headers({
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      'Referrer-Policy': 'no-referrer',
    });
    try {
      if (isLoopback(configuration.host)) refuseForeignOrigin(request, configuration.host);
      done();
    } catch (error) {
      sendProblem(reply, error);
    }
  });
}

function sendProblem(reply: FastifyReply, error: unknown): void {
  const answer = problemOf(error);
  void reply.status(answer.status).type('application/problem+json').send(answer);
}
