import { Agent, Runner, Usage, tool } from '@openai/agents-core';
import Database from 'better-sqlite3';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { numberOf, turnTexts } from '../turn.mjs';
import { checkTexts } from './texts.mjs';

/** Its runner with a session over SQLite, as an application writes one: it brings none to keep. */
export const openaiAgents = {
  name: 'OpenAI Agents',
  packages: ['@openai/agents-core'],
  durability: 'a session of ours over SQLite, WAL, synchronous=FULL; 1 fsync a turn',
  open: async (folder) => new AgentsSessions(folder),
};

class AgentsSessions {
  constructor(folder) {
    this.database = new Database(join(folder, 'agents.sqlite'));
    this.database.pragma('journal_mode = WAL');
    this.database.pragma('synchronous = FULL');
    this.database.exec(
      `CREATE TABLE IF NOT EXISTS items (id INTEGER PRIMARY KEY, session TEXT, data TEXT);
       CREATE INDEX IF NOT EXISTS items_session ON items (session)`,
    );
    this.runner = new Runner({ tracingDisabled: true });
    this.agent = new Agent({ name: 'bench', model: MODEL, tools: [SEARCH] });
  }

  async seed(session, from, to) {
    const items = [];
    for (let turn = from; turn < to; turn += 1) items.push(...turnItems(turn));
    await this.session(session).addItems(items);
  }

  async appendTurn(session, number) {
    const { input, answer } = turnTexts(number);
    const { finalOutput } = await this.runner.run(this.agent, input, {
      session: this.session(session),
    });
    if (finalOutput !== answer) throw new Error('OpenAI Agents gave another answer');
  }

  readBack(session) {
    return this.session(session).getItems();
  }

  check(items, turns) {
    checkTexts(openaiAgents.name, items.map(textOf), turns);
  }

  async place(session) {
    return (await this.readBack(session)).length;
  }

  /** It has no fork: the items are copied to another session. */
  async fork(session, place) {
    const forkId = randomUUID();
    const items = await this.readBack(session);
    await this.session(forkId).addItems(items.slice(0, place));
    return forkId;
  }

  session(id) {
    return new SqliteSession(this.database, id);
  }

  async close() {
    this.database.close();
  }
}

class SqliteSession {
  constructor(database, id) {
    this.database = database;
    this.id = id;
  }

  async getSessionId() {
    return this.id;
  }

  async getItems(limit) {
    const rows = this.database
      .prepare('SELECT data FROM items WHERE session = ? ORDER BY id DESC LIMIT ?')
      .pluck()
      .all(this.id, limit ?? -1);
    return rows.reverse().map((row) => JSON.parse(row));
  }

  async addItems(items) {
    const insert = this.database.prepare('INSERT INTO items (session, data) VALUES (?, ?)');
    this.database
      .transaction(() => {
        for (const item of items) insert.run(this.id, JSON.stringify(item));
      })
      .immediate();
  }

  async popItem() {
    const row = this.database
      .prepare(
        `DELETE FROM items WHERE id = (SELECT max(id) FROM items WHERE session = ?)
         RETURNING data`,
      )
      .pluck()
      .get(this.id);
    return row === undefined ? undefined : JSON.parse(row);
  }

  async clearSession() {
    this.database.prepare('DELETE FROM items WHERE session = ?').run(this.id);
  }
}

const SEARCH = tool({
  name: 'search',
  description: 'Searches.',
  parameters: {
    type: 'object',
    properties: { query: { type: 'string' } },
    required: ['query'],
    additionalProperties: false,
  },
  strict: true,
  execute: ({ query }) => turnTexts(numberOf(query)).result,
});

/** A model without a network: what it says depends on the last item only. */
const MODEL = {
  async getResponse({ input }) {
    const [, thought, call, , answer] = turnItems(numberOf(textOf(input.at(-1))));
    const isAfterTool = input.at(-1).type === 'function_call_result';
    const usage = new Usage({ requests: 1, inputTokens: 9_200, outputTokens: 210 });
    return { usage, output: isAfterTool ? [answer] : [thought, call] };
  },
};

function turnItems(number) {
  const { input, thought, argument, result, answer } = turnTexts(number);
  const call = { callId: `toolu_${number}`, name: 'search', status: 'completed' };
  return [
    { type: 'message', role: 'user', content: input },
    assistant(thought),
    { type: 'function_call', ...call, arguments: JSON.stringify({ query: argument }) },
    { type: 'function_call_result', ...call, output: { type: 'text', text: result } },
    assistant(answer),
  ];
}

function assistant(text) {
  const content = [{ type: 'output_text', text }];
  return { type: 'message', role: 'assistant', status: 'completed', content };
}

function textOf(item) {
  if (item.type === 'function_call') return JSON.parse(item.arguments).query;
  if (item.type === 'function_call_result') return item.output.text ?? item.output;
  return typeof item.content === 'string' ? item.content : item.content[0].text;
}
