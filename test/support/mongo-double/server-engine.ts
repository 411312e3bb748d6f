/** What the server does with one command. */
import { Collections, type Transaction } from './collections.js';
import { ServerError } from './server-errors.js';
import { type CommandContext, adminCommands } from './admin-commands.js';
import { readCommands } from './read-commands.js';
import { keyOf } from './value-order.js';
import type { Fields } from './wire-messages.js';
import { writeCommands } from './write-commands.js';

export interface EngineOptions {
  readonly address: () => string;
  /** A one-node replica set, with transactions and retryable writes; else a standalone server. */
  readonly replicaSet: boolean;
}

type Command = (command: Fields, context: CommandContext) => Fields;

const COMMANDS: Readonly<Record<string, Command>> = {
  ...adminCommands,
  ...readCommands,
  ...writeCommands,
};

export class ServerEngine {
  private readonly collections = new Collections();
  private readonly cursors: CommandContext['cursors'] = new Map();
  private readonly transactions = new Map<
    string,
    { readonly transaction: Transaction; readonly begunMs: number }
  >();
  private readonly ended = new Map<string, 'committed' | 'aborted'>();
  private readonly answered = new Map<string, Fields>();
  /** Added to the clock: a test moves the server's time. */
  clockOffsetMs = 0;
  /** A transaction whose client is gone holds its documents for so long: a real one for 60 s. */
  transactionMsMax = 5_000;

  constructor(private readonly options: EngineOptions) {}

  /** @throws ServerError */
  run(command: Fields): Fields {
    const name = Object.keys(command)[0] ?? '';
    const session = this.sessionOf(command);
    this.endOldTransactions();
    if (name === 'commitTransaction' || name === 'abortTransaction') return this.end(name, session);
    const handler = COMMANDS[name];
    if (handler === undefined) {
      throw new ServerError(59, 'CommandNotFound', `no such command: '${name}'`);
    }
    const inTransaction = session !== undefined && command['autocommit'] === false;
    // The answer to a retryable write was lost, and it comes again: it must not be done again.
    const before = session === undefined || inTransaction ? undefined : this.answered.get(session);
    if (before !== undefined) return before;
    const transaction = inTransaction ? this.transactionOf(command, session) : undefined;
    const reply = handler(command, this.context(command, transaction));
    if (session !== undefined && !inTransaction) this.answered.set(session, reply);
    return reply;
  }

  /** A write that met somebody's open transaction: the server itself tries it again. */
  mayWait(command: Fields, error: unknown): boolean {
    const inTransaction = command['autocommit'] === false;
    return !inTransaction && error instanceof ServerError && error.code === 112;
  }

  private context(command: Fields, transaction: Transaction | undefined): CommandContext {
    const { collections, cursors, options } = this;
    const now = new Date(Date.now() + this.clockOffsetMs);
    const database = command['$db'] as string;
    return { collections, cursors, transaction, now, database, server: options };
  }

  private sessionOf(command: Fields): string | undefined {
    if (command['txnNumber'] === undefined) return undefined;
    if (!this.options.replicaSet) {
      const text = 'Transaction numbers are only allowed on a replica set member or mongos';
      throw new ServerError(20, 'IllegalOperation', text);
    }
    const session = (command['lsid'] as Fields)['id'];
    return `${keyOf(session)}/${keyOf(command['txnNumber'])}`;
  }

  private transactionOf(command: Fields, session: string): Transaction {
    if (command['startTransaction'] === true && !this.transactions.has(session)) {
      const transaction = this.collections.begin();
      this.transactions.set(session, { transaction, begunMs: performance.now() });
    }
    const found = this.transactions.get(session);
    if (found !== undefined) return found.transaction;
    throw new ServerError(251, 'NoSuchTransaction', 'Transaction has been aborted', [
      'TransientTransactionError',
    ]);
  }

  private end(name: 'commitTransaction' | 'abortTransaction', session = ''): Fields {
    const transaction = this.transactions.get(session)?.transaction;
    const wanted = name === 'commitTransaction' ? 'committed' : 'aborted';
    if (transaction === undefined) {
      if (this.ended.get(session) === wanted) return {};
      throw new ServerError(251, 'NoSuchTransaction', 'no such transaction');
    }
    this.transactions.delete(session);
    this.ended.set(session, wanted);
    if (wanted === 'committed') this.collections.commit(transaction);
    else this.collections.abort(transaction);
    return {};
  }

  /** After an error the server itself ends the transaction. */
  failTransaction(command: Fields): void {
    if (command['autocommit'] === false) this.abort(this.sessionOf(command) ?? '');
  }

  private endOldTransactions(): void {
    for (const [session, { begunMs }] of this.transactions) {
      if (performance.now() - begunMs > this.transactionMsMax) this.abort(session);
    }
  }

  private abort(session: string): void {
    const found = this.transactions.get(session);
    if (found === undefined) return;
    this.transactions.delete(session);
    this.ended.set(session, 'aborted');
    this.collections.abort(found.transaction);
  }
}
