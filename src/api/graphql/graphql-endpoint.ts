import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { QueryBus } from '@nestjs/cqrs';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Configuration } from '../../config/configuration.js';
import { Authentication } from '../authentication.js';
import { isLoopback } from '../origin.js';
import { ProblemError } from '../problem.js';
import { Asking } from './asking.js';
import { GRAPHQL_PATH, dispatchTo } from './dispatch.js';
import type { GraphqlServer } from './graphql-server.js';
import { SessionLoader } from './session-loader.js';
import { restOperations } from './rest-operations.js';

/** Then a query is given up. */
const TIMEOUT_MS = 5_000;

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
  const introspection = isOpenSchema(configuration);
  const dispatch = dispatchTo(app);
  const queries = app.get(QueryBus);
  const authentication = app.get(Authentication);
  const fastify = app.getHttpAdapter().getInstance();
  let server: Promise<GraphqlServer> | undefined;
  fastify.addHook('onClose', async () => (await server)?.stop());
  fastify.get(GRAPHQL_PATH, async () => {
    throw new ProblemError('invalid_request', 'send operations by POST: {query, variables}');
  });
  fastify.post(GRAPHQL_PATH, async (request, reply) => {
    const principal = await authentication.principalOf(request);
    const sender = { principal, ip: request.ip };
    const sessions = new SessionLoader(queries, principal);
    const asking = new Asking(dispatch, sender, sessions, AbortSignal.timeout(TIMEOUT_MS));
    server ??= startedServer(document, introspection);
    return (await server).answer(asking, request, reply);
  });
}

function isOpenSchema({ graphqlIntrospection, host }: Configuration): boolean {
  return graphqlIntrospection === 'auto' ? isLoopback(host) : graphqlIntrospection === 'yes';
}

/** Loaded with the first request: whoever does not use GraphQL neither waits nor pays for it. */
async function startedServer(document: OpenAPIObject, introspection: boolean) {
  const [{ GraphqlServer }, { graphqlSchema }] = await Promise.all([
    import('./graphql-server.js'),
    import('./graphql-schema.js'),
  ]);
  return GraphqlServer.started(graphqlSchema(document), introspection);
}
