import { CommandHandler, asyncRetry } from '@event-driven-io/emmett';
import { getSQLiteEventStore } from '@event-driven-io/emmett-sqlite';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { plainMessages } from '../turn.mjs';
import { checkTexts, textsOfPlain } from './texts.mjs';

const SEED_TURNS = 250;

/** A stream for each session, an event for each message, its own command handler for a turn. */
export const emmett = {
  name: 'Emmett',
  packages: ['@event-driven-io/emmett', '@event-driven-io/emmett-sqlite'],
  durability: 'WAL, synchronous=FULL as it opens it, a connection for each call; 5 fsyncs a turn',
  open: async (folder) => new EmmettSessions(folder),
};

/** Its own retry: now and then a commit fails with "SQL statements in progress". */
const RETRY = {
  retries: 20,
  minTimeout: 5,
  factor: 1,
  shouldRetryError: (error) => error.code === 'SQLITE_BUSY',
};

const handle = CommandHandler({
  retry: RETRY,
  initialState: () => ({ messages: 0 }),
  evolve: ({ messages }) => ({ messages: messages + 1 }),
});

/**
 * One turn after the other: with 64 at once its transactions fail with SQLITE_BUSY, and on one
 * shared connection they would run into each other.
 */
class EmmettSessions {
  line = Promise.resolve();

  constructor(folder) {
    // It prints each error to stdout before it throws it, into the benchmark's JSON lines.
    console.log = console.error;
    this.store = getSQLiteEventStore({ fileName: join(folder, 'emmett.sqlite') });
  }

  async seed(session, from, to) {
    for (let turn = from; turn < to; turn += SEED_TURNS) {
      const until = Math.min(to, turn + SEED_TURNS);
      const numbers = Array.from({ length: until - turn }, (_, index) => turn + index);
      await this.append(session, numbers.flatMap(turnEvents));
    }
  }

  appendTurn(session, number) {
    this.line = this.line.then(() => this.command(session, number));
    return this.line;
  }

  async command(session, number) {
    const { newState } = await handle(this.store, session, () => turnEvents(number));
    if (newState.messages !== 4 * (number + 1)) throw new Error('Emmett lost a message');
  }

  append(session, events) {
    return asyncRetry(() => this.store.appendToStream(session, events), RETRY);
  }

  async readBack(session) {
    const { events } = await this.store.readStream(session);
    return events.map(({ data }) => data);
  }

  check(messages, turns) {
    checkTexts(emmett.name, textsOfPlain(messages), turns);
  }

  async place(session) {
    return (await this.store.readStream(session)).currentStreamVersion;
  }

  /** It has no fork: the events are copied to another stream. */
  async fork(session, place) {
    const { events } = await this.store.readStream(session, { to: place });
    const forkId = randomUUID();
    await this.append(
      forkId,
      events.map(({ type, data }) => ({ type, data })),
    );
    return forkId;
  }

  async seedTree(nodes) {
    for (const { id, picos } of nodes) {
      await this.append(id, [{ type: 'CallSettled', data: { picos } }]);
    }
    this.tree = nodes.map(({ id }) => id);
  }

  /** It has no tree: the streams of all its sessions are read, whose names are known here. */
  async rootCost() {
    let picos = 0;
    for (const id of this.tree) {
      for (const { data } of (await this.store.readStream(id)).events) picos += data.picos;
    }
    return picos;
  }

  async close() {}
}

function turnEvents(number) {
  return plainMessages(number).map((data) => ({ type: 'MessageRecorded', data }));
}
