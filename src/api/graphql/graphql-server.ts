import { ApolloServer, HeaderMap } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import { Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError, type GraphQLFormattedError, type GraphQLSchema } from 'graphql';
import type { Asking } from './asking.js';
import { TOKENS_MAX, refuseTooMuch, refused } from './limits.js';
import { problemOfGraphql } from './problems.js';

const OVER_SOCKET = 'subscriptions go over a WebSocket at this address (graphql-transport-ws)';

/** Answers operations that come over HTTP. */
export class GraphqlServer {
  private constructor(private readonly apollo: ApolloServer<Asking>) {}

  static async started(schema: GraphQLSchema, introspection: boolean): Promise<GraphqlServer> {
    const apollo = apolloServer(schema, introspection);
    await apollo.start();
    return new GraphqlServer(apollo);
  }

  stop(): Promise<void> {
    return this.apollo.stop();
  }

  async answer(asking: Asking, request: FastifyRequest, reply: FastifyReply): Promise<string> {
    const headers = new HeaderMap();
    for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
    const answered = await this.apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method: 'POST', headers, search: '', body: request.body },
      context: async () => asking,
    });
    if (answered.body.kind !== 'complete') throw new Error('GraphQL answered in pieces');
    void reply.status(answered.status ?? 200).headers(Object.fromEntries(answered.headers));
    // The adapter's own header stays: an answer of the API is not to be kept by anybody.
    void reply.header('Cache-Control', 'no-store');
    return answered.body.string;
  }
}

function apolloServer(schema: GraphQLSchema, introspection: boolean): ApolloServer<Asking> {
  return new ApolloServer<Asking>({
    schema,
    introspection,
    hideSchemaDetailsFromClientErrors: !introspection,
    includeStacktraceInErrorResponses: false,
    persistedQueries: false,
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens: TOKENS_MAX },
    logger: new Logger('GraphQL') as never,
    formatError,
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      {
        requestDidStart: async () => ({
          didResolveOperation: async ({ document, operation, request }) => {
            if (operation?.operation === 'subscription') throw refused(OVER_SOCKET);
            if (operation) refuseTooMuch(schema, document, operation, request.variables);
          },
        }),
      },
    ],
  });
}

function formatError(
  { locations, path }: GraphQLFormattedError,
  error: unknown,
): GraphQLFormattedError {
  const found = problemOfGraphql(error instanceof GraphQLError ? error : new GraphQLError('', {}));
  return { message: found.detail, locations, path, extensions: found };
}
