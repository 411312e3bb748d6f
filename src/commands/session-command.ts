import { type Type, mixin } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { SessionCommand } from '../domain/commands.js';
import type { CommandScope } from './command-scope.js';
import { type CommandContext, CommandHandling, type HandledCommand } from './handle-command.js';

/** A request that changes one session; `body` is the validated DTO. */
export abstract class SessionRequest<Body> extends Command<HandledCommand> {
  constructor(
    readonly scope: CommandScope,
    readonly body: Body,
  ) {
    super();
  }
}

/** From a validated body to what the domain is asked; also used for the steps of a batch. */
export type ToSessionCommands<Body> = (
  body: Body,
  context: CommandContext,
) => readonly SessionCommand[];

type RequestClass<Body> = new (scope: CommandScope, body: Body) => SessionRequest<Body>;

/** The handler that every plain session command has: load, decide, append. */
export function handlerOf<Body>(
  request: RequestClass<Body>,
  toCommands: ToSessionCommands<Body>,
): Type<ICommandHandler<SessionRequest<Body>, HandledCommand>> {
  @CommandHandler(request)
  class Handler implements ICommandHandler<SessionRequest<Body>, HandledCommand> {
    constructor(private readonly handling: CommandHandling) {}

    execute({ scope, body }: SessionRequest<Body>): Promise<HandledCommand> {
      return this.handling.handle(scope, (context) => toCommands(body, context));
    }
  }
  return mixin(Handler);
}

/**
 * The command's identity: the Idempotency-Key if there is one, else the id that the request names.
 * The payload hash lets a repetition with other content be told apart.
 */
export function identityOf(
  context: CommandContext,
  ownId: string,
  payload: unknown,
): {
  readonly commandId: string;
  readonly keyed?: boolean;
  readonly payloadHash: string;
  readonly now: string;
} {
  // An erased session has no key any more to tell hashes apart: what the request names does.
  const isErased = context.state.erasure !== undefined;
  const idempotencyKey = isErased ? undefined : context.scope.idempotencyKey;
  return {
    commandId: idempotencyKey ?? ownId,
    ...(idempotencyKey === undefined ? {} : { keyed: true }),
    payloadHash: context.hash(canonicalText(payload)),
    now: context.now,
  };
}

/** Key order does not make another payload. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(sorted(value));
}

/** The same JSON value with sorted keys. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) {
    const inner = (value as Record<string, unknown>)[key];
    // Set as a property of its own: assigning to `__proto__` would lose it.
    if (key === '__proto__')
      Object.defineProperty(copy, key, { value: sorted(inner), enumerable: true });
    else copy[key] = sorted(inner);
  }
  return copy;
}

/** A request without an id of its own must bring an Idempotency-Key. */
export class IdempotencyKeyRequiredError extends Error {
  constructor(what: string) {
    super(`${what} has no id of its own: send an Idempotency-Key header`);
    this.name = 'IdempotencyKeyRequiredError';
  }
}

export function requiredKey(context: CommandContext, what: string): string {
  const { idempotencyKey } = context.scope;
  if (idempotencyKey === undefined) throw new IdempotencyKeyRequiredError(what);
  return idempotencyKey;
}
