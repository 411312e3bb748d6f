import { DiscoveryService, ExternalContextCreator } from '@nestjs/core';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamsFactory } from '@nestjs/core/router/route-params-factory.js';
import type { INestApplication } from '@nestjs/common';
import { operationId } from '../operation-id.js';
import type { Principal } from '../principal.js';
import type { RestOperation } from './rest-operations.js';

/** What an operation is asked, in the places where its REST request has it. */
export interface Request {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Who asks, and from which address. */
export interface Sender {
  readonly principal: Principal;
  readonly ip: string;
}

export const GRAPHQL_PATH = '/graphql';

/** Answers what the controller of the operation answers to this request of this sender. */
export type Dispatch = (
  operation: RestOperation,
  request: Request,
  sender: Sender,
) => Promise<unknown>;

type Handler = (...args: unknown[]) => unknown;

/**
 * GraphQL's way into the controllers: through Nest's own guards, pipes and parameter decorators, so
 * that rights, validation and answers are those of REST, and not a second set of them.
 */
export function dispatchTo(app: INestApplication): Dispatch {
  const handlers = new Map<string, Handler>();
  for (const { metatype, instance } of app.get(DiscoveryService).getControllers()) {
    if (metatype === null) continue;
    for (const method of Object.getOwnPropertyNames(metatype.prototype)) {
      const id = operationId(metatype.name, method);
      handlers.set(id, handlerOf(app, instance as Record<string, Handler>, method));
    }
  }
  return async ({ id, offer }, request, { principal, ip }) => {
    const routeOptions = { url: `${GRAPHQL_PATH} ${offer.field}` };
    return handlers.get(id)!({ method: 'POST', routeOptions, ip, principal, ...request }, REPLY);
  };
}

function handlerOf(
  app: INestApplication,
  controller: Readonly<Record<string, Handler>>,
  method: string,
): Handler {
  const fromRequest = new RouteParamsFactory();
  const parameters = {
    exchangeKeyForValue: (key: number, data: string, [req, res]: readonly unknown[]) =>
      fromRequest.exchangeKeyForValue(key, data, { req, res, next: undefined } as never),
  };
  const creator = app.get(ExternalContextCreator, { strict: false });
  const options = { guards: true, interceptors: true, filters: false };
  return creator.create(
    controller,
    controller[method]!,
    method,
    ROUTE_ARGS_METADATA,
    parameters as never,
    undefined,
    undefined,
    options,
  );
}

/** Status and headers of an answer (entity tags, media types) are REST's alone. It is no promise. */
const REPLY: object = new Proxy(
  {},
  { get: (_, name) => (name === 'then' ? undefined : () => REPLY) },
);
