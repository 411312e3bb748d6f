import type { HandledCommand } from '../../src/commands/handle-command.js';
import { VersionConflictError } from '../../src/commands/revision-errors.js';
import type { SessionState } from '../../src/domain/state.js';
import { AppendUnknownError, StoreUnavailableError } from '../../src/storage/event-store.js';
import type { Actor, Scheduler } from './scheduler.js';
import type { Server } from './server.js';

/** What a client needs to know of the world: who serves now, and who keeps what was promised. */
export interface Network {
  readonly scheduler: Scheduler;
  readonly servers: readonly Server[];
  readonly faults: boolean;
  acknowledged(receipt: HandledCommand['receipt']): void;
}

const AGAIN_AFTER_MS = 700;
const UNKNOWN = [AppendUnknownError, StoreUnavailableError, VersionConflictError];

/**
 * Sends requests until one is answered: the same request again after a lost answer, a dead server or
 * an unknown append, now and then twice at once.
 */
export class Client {
  constructor(
    readonly network: Network,
    readonly actor: Actor,
  ) {}

  /** @throws what the server refused with. */
  async ask(command: object): Promise<HandledCommand> {
    const { scheduler } = this.network;
    for (;;) {
      await scheduler.turn(this.actor);
      const handled = await this.once((server) => this.send(server, command));
      if (handled !== undefined) {
        if ('receipt' in handled) this.network.acknowledged(handled.receipt);
        return handled;
      }
      await scheduler.sleep(this.actor, AGAIN_AFTER_MS);
    }
  }

  async stateOf(sessionId: string): Promise<SessionState> {
    for (;;) {
      const state = await this.once((server) => server.stateOf(sessionId));
      if (state !== undefined) return state;
      await this.network.scheduler.sleep(this.actor, AGAIN_AFTER_MS);
    }
  }

  private send(server: Server, command: object): Promise<HandledCommand> {
    if (this.isUnlucky(20)) server.execute(command).catch(() => undefined);
    return server.execute(command) as Promise<HandledCommand>;
  }

  /** Undefined: no answer came. */
  private async once<T>(request: (server: Server) => Promise<T>): Promise<T | undefined> {
    const { servers, scheduler } = this.network;
    const living = servers.filter(({ actor }) => actor.alive);
    if (living.length === 0 || this.isUnlucky(30)) return undefined;
    const server = scheduler.choices.pick(living);
    try {
      const answer = await Promise.race([request(server), server.died]);
      await scheduler.turn(this.actor);
      return answer === 'died' || this.isUnlucky(30) ? undefined : answer;
    } catch (error) {
      await scheduler.turn(this.actor);
      if (UNKNOWN.some((kind) => error instanceof kind)) return undefined;
      throw error;
    }
  }

  private isUnlucky(oneIn: number): boolean {
    return this.network.faults && this.network.scheduler.choices.oneIn(oneIn);
  }
}
