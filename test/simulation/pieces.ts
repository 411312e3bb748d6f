import 'reflect-metadata';
import type { Type } from '@nestjs/common';

/** Where Nest keeps what `@Inject` names, and which command a handler is for. */
const NAMED = 'self:paramtypes';
const HANDLES = '__commandHandler__';

/** The handlers among the providers, by the command that each is for. */
export function handlersAmong(providers: readonly unknown[]): ReadonlyMap<unknown, Type<object>> {
  const types = providers.filter((one): one is Type<object> => typeof one === 'function');
  return new Map(types.map((type) => [Reflect.getMetadata(HANDLES, type), type]));
}

/**
 * The pieces of one server process, made as Nest makes them but without its start, which takes
 * longer than a whole simulated history.
 */
export class Pieces {
  private readonly made = new Map<unknown, unknown>();

  constructor(
    given: ReadonlyMap<unknown, unknown>,
    private readonly handlers: ReadonlyMap<unknown, Type<object>>,
  ) {
    for (const [token, piece] of given) this.made.set(token, piece);
  }

  get<T>(token: unknown): T {
    if (!this.made.has(token)) this.made.set(token, this.make(token as Type<object>));
    return this.made.get(token) as T;
  }

  handlerFor(command: object): { execute(command: object): Promise<unknown> } {
    const handler = this.handlers.get(command.constructor);
    if (handler === undefined) throw new Error(`nobody handles ${command.constructor.name}`);
    return this.get(handler);
  }

  private make(type: Type<object>): object {
    if (typeof type !== 'function') throw new Error(`no piece was given for ${String(type)}`);
    const types = (Reflect.getMetadata('design:paramtypes', type) ?? []) as unknown[];
    const named = (Reflect.getMetadata(NAMED, type) ?? []) as { index: number; param: unknown }[];
    const tokens = types.map((one, at) => named.find(({ index }) => index === at)?.param ?? one);
    return new type(...tokens.map((one) => this.get(one)));
  }
}
