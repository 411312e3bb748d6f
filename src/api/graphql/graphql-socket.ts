import {
  type ExecutionArgs,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  Kind,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import type { Context, SubscribePayload } from 'graphql-ws';
import { type Extra, useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import type { CredentialWatch } from '../credential-watch.js';
import { ProblemError } from '../problem.js';
import type { Asking } from './asking.js';
import { TOKENS_MAX, refuseTooMuch } from './limits.js';
import { notedProblem, problemError } from './problems.js';

export const SUBSCRIPTIONS_MAX = 20;
const MESSAGE_BYTES_MAX = 64 * 1_024;
const INITIALISATION_MS_MAX = 3_000;

/** A connection that nothing is subscribed on is closed then. */
const IDLE_MS_MAX = 60_000;
const IDLE_CHECKS = 12;

/** Codes with which a connection is closed. */
const UNAUTHENTICATED = 4401;
const IDLE = 4408;

/** Who a credential stands for, as an `Authorization` header has it. */
export type Authenticate = (authorization: string, ip: string) => Promise<Asking>;

type Watched = { asking?: Asking; unwatch?: () => void };

type Connection = Context<{ authorization?: unknown }, Extra & Watched>;
type Upgrade = Parameters<WebSocketServer['handleUpgrade']>;

/** Subscriptions over the protocol of graphql-ws. */
export class GraphqlSocket {
  private readonly sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MESSAGE_BYTES_MAX,
    perMessageDeflate: false,
  });
  private readonly served: ReturnType<typeof useServer>;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly introspection: boolean,
    private readonly authenticate: Authenticate,
    private readonly credentials: Pick<CredentialWatch, 'start'>,
    private readonly idleMsMax: number = IDLE_MS_MAX,
  ) {
    this.served = useServer<{ authorization?: unknown }, Watched>(
      {
        schema,
        isProd: true,
        connectionInitWaitTimeout: INITIALISATION_MS_MAX,
        onConnect: (connection) => this.connect(connection),
        onClose: ({ extra }) => extra.unwatch?.(),
        onSubscribe: (connection, _, payload) => this.subscription(connection, payload),
        onError: (_, __, ___, errors) =>
          errors.map((error) => problemError(notedProblem(error, 'subscription')).toJSON()),
      },
      this.sockets,
    );
  }

  accept(...[request, socket, head]: [Upgrade[0], Upgrade[1], Upgrade[2]]): void {
    this.sockets.handleUpgrade(request, socket, head, (opened) => {
      this.sockets.emit('connection', opened, request);
      // The library writes a stack for whatever a client sends wrongly; the connection is closed without it.
      opened.removeAllListeners('error').on('error', () => undefined);
    });
  }

  async close(): Promise<void> {
    await this.served.dispose();
    for (const client of this.sockets.clients) client.terminate();
  }

  private async connect(connection: Connection): Promise<boolean> {
    const { connectionParams, extra } = connection;
    const { authorization = extra.request.headers.authorization } = connectionParams ?? {};
    const credential = typeof authorization === 'string' ? authorization : '';
    const ip = extra.request.socket.remoteAddress ?? '';
    try {
      extra.asking = await this.authenticate(credential, ip);
    } catch (error) {
      extra.socket.close(UNAUTHENTICATED, reasonOf(error));
      return false;
    }
    // Who has gone meanwhile is not told of again.
    if (extra.socket.readyState !== extra.socket.OPEN) return false;
    const endWatch = this.credentials.start(credential, () =>
      extra.socket.close(UNAUTHENTICATED, 'unauthenticated'),
    );
    const endIdling = this.closeIdle(connection);
    extra.unwatch = () => {
      endWatch();
      endIdling();
    };
    return true;
  }

  private closeIdle({ subscriptions, extra }: Connection): () => void {
    let idle = 0;
    const timer = setInterval(() => {
      idle = Object.keys(subscriptions).length === 0 ? idle + 1 : 0;
      if (idle >= IDLE_CHECKS) extra.socket.close(IDLE, 'nothing is subscribed');
    }, this.idleMsMax / IDLE_CHECKS).unref();
    return () => clearInterval(timer);
  }

  private subscription(
    { subscriptions, extra }: Connection,
    { query, variables, operationName }: SubscribePayload,
  ): ExecutionArgs | readonly GraphQLError[] {
    try {
      if (Object.keys(subscriptions).length > SUBSCRIPTIONS_MAX) {
        const limits = { subscriptionsMax: SUBSCRIPTIONS_MAX };
        throw new ProblemError(
          'limit_exceeded',
          'this connection has its number of subscriptions',
          { limits },
        );
      }
      const document = parse(query, { maxTokens: TOKENS_MAX });
      const rules = this.introspection
        ? specifiedRules
        : [...specifiedRules, NoSchemaIntrospectionCustomRule];
      const faults = validate(this.schema, document, rules, {
        hideSuggestions: !this.introspection,
      });
      if (faults.length > 0) return faults;
      const operations = document.definitions.filter(
        (one) => one.kind === Kind.OPERATION_DEFINITION,
      );
      for (const operation of operations) {
        if (operation.operation !== 'subscription') {
          throw new ProblemError('invalid_request', 'queries and mutations are sent by POST');
        }
        refuseTooMuch(this.schema, document, operation, variables ?? {});
      }
      const variableValues = variables ?? undefined;
      const contextValue = extra.asking;
      return { schema: this.schema, document, variableValues, operationName, contextValue };
    } catch (error) {
      return [
        error instanceof GraphQLError ? error : problemError(notedProblem(error, 'subscription')),
      ];
    }
  }
}

function reasonOf(error: unknown): string {
  return error instanceof ProblemError ? error.code : 'store_unavailable';
}
