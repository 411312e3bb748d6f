import { setMaxListeners } from 'node:events';
import { QueryBus } from '@nestjs/cqrs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import type { Configuration } from '../../config/configuration.js';
import { Metrics } from '../../health/metrics.js';
import { Authentication } from '../authentication.js';
import { CredentialWatch } from '../credential-watch.js';
import { isLoopback, refuseForeignOrigin } from '../origin.js';
import { type Principal, WITHOUT_KEY, principalOf } from '../principal.js';
import { ProblemError } from '../problem.js';
import { noted, problemOf } from '../problem.filter.js';
import { Asking } from './asking.js';
import { type Dispatch, GRAPHQL_PATH, dispatchTo } from './dispatch.js';
import { Feeds } from './feeds.js';
import type { GraphqlServer } from './graphql-server.js';
import type { Authenticate, GraphqlSocket } from './graphql-socket.js';
import { QUERY_PAGE, QUERY_PAGE_POLICY } from './query-page.js';
import { restOperations } from './rest-operations.js';
import { SessionLoader } from './session-loader.js';

/** Then a query is given up. */
const TIMEOUT_MS = 5_000;

interface Libraries {
  readonly server: GraphqlServer;
  readonly socket: GraphqlSocket;
}

/**
 * Adds GraphQL to an application that has REST: the same operations, by the same controllers.
 * @throws Error for an operation without a name.
 */
export function serveGraphql(
  app: NestFastifyApplication,
  document: OpenAPIObject,
  configuration: Configuration,
): void {
  restOperations(document);
  const fastify = app.getHttpAdapter().getInstance();
  const authentication = app.get(Authentication);
  const askingOf = askings(app);
  const credentials = app.get(CredentialWatch);
  const authenticate: Authenticate = async (authorization, ip) => {
    const request = { headers: { authorization }, ip, method: 'GET', routeOptions: SOCKET_ROUTE };
    return askingOf(await authentication.principalOf(request as never), ip);
  };
  let loaded: Promise<Libraries> | undefined;
  const libraries = () =>
    (loaded ??= load(document, isOpenSchema(configuration), [authenticate, credentials]));
  fastify.get(GRAPHQL_PATH, { config: WITHOUT_KEY }, async (request, reply) => {
    const isPage = request.headers.accept?.includes('text/html') && !request.url.includes('?');
    if (!isPage || !isOpenSchema(configuration)) {
      throw new ProblemError('invalid_request', 'send operations by POST: {query, variables}');
    }
    void reply
      .type('text/html; charset=utf-8')
      .header('Content-Security-Policy', QUERY_PAGE_POLICY);
    return QUERY_PAGE;
  });
  fastify.post(GRAPHQL_PATH, async (request, reply) => {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    // Each field under way listens; their number has a limit of its own.
    setMaxListeners(0, timeout);
    const asking = askingOf(principalOf(request), request.ip, timeout);
    return (await libraries()).server.answer(asking, request, reply);
  });
  upgradeConnections(fastify, configuration, async () => (await libraries()).socket);
  // Before the server waits for its connections: these would never end by themselves.
  fastify.addHook('preClose', async () => (await loaded)?.socket.close());
  fastify.addHook('onClose', async () => (await loaded)?.server.stop());
}

const SOCKET_ROUTE = { url: GRAPHQL_PATH };

function askings(app: NestFastifyApplication) {
  const dispatch = counted(dispatchTo(app), app.get(Metrics));
  const queries = app.get(QueryBus);
  return (principal: Principal, ip: string, timeout?: AbortSignal): Asking => {
    const sessions = new SessionLoader(queries, principal);
    return new Asking(
      dispatch,
      { principal, ip },
      sessions,
      new Feeds(queries, principal),
      timeout,
    );
  };
}

/** What is refused over GraphQL counts as over REST. */
function counted(dispatch: Dispatch, metrics: Metrics): Dispatch {
  return async (...asked) => {
    try {
      return await dispatch(...asked);
    } catch (error) {
      noted(metrics, problemOf(error).code);
      throw error;
    }
  };
}

function isOpenSchema({ graphqlIntrospection, host }: Configuration): boolean {
  return graphqlIntrospection === 'auto' ? isLoopback(host) : graphqlIntrospection === 'yes';
}

/** With the first request: whoever does not use GraphQL neither waits nor pays for it. */
async function load(
  document: OpenAPIObject,
  introspection: boolean,
  access: readonly [Authenticate, CredentialWatch],
): Promise<Libraries> {
  const [{ GraphqlServer }, { GraphqlSocket }, { graphqlSchema }] = await Promise.all([
    import('./graphql-server.js'),
    import('./graphql-socket.js'),
    import('./graphql-schema.js'),
  ]);
  const schema = graphqlSchema(document);
  const socket = new GraphqlSocket(schema, introspection, ...access);
  return { server: await GraphqlServer.started(schema, introspection), socket };
}

function upgradeConnections(
  { server }: FastifyInstance,
  { host }: Configuration,
  socketOf: () => Promise<GraphqlSocket>,
): void {
  server.on('upgrade', (request, socket, head) => {
    const refuse = (status: string) =>
      socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
    socket.on('error', () => socket.destroy());
    if (request.url?.split('?')[0] !== GRAPHQL_PATH) return refuse('404 Not Found');
    try {
      if (isLoopback(host)) refuseForeignOrigin(request, host);
    } catch {
      return refuse('403 Forbidden');
    }
    void socketOf().then(
      (sockets) => sockets.accept(request, socket, head),
      () => refuse('500 Internal Server Error'),
    );
  });
}
