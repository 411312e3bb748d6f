import Database from 'better-sqlite3';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from '../agent.mjs';
import { checkTurns } from '../check.mjs';
import { plainMessages } from '../turn.mjs';
import { foldAll } from './projections.mjs';

const SESSIONS = 10;

/** P6: bytes of the files after everything was moved out of SQLite's logs, against the messages' JSON. */
export async function disk({ product, options, report }) {
  const { dataFolder } = product.configuration;
  const empty = filesOf(dataFolder);
  const each = Math.ceil(options.diskTurns / SESSIONS);
  let json = 0;
  const agents = [];
  for (let index = 0; index < SESSIONS; index += 1) {
    const agent = await Agent.start(product);
    await agent.grow(each);
    agents.push(agent);
    for (let turn = 0; turn < agent.turnCount; turn += 1) {
      json += Buffer.byteLength(JSON.stringify(plainMessages(turn)));
    }
  }
  for (const agent of agents) await checkTurns(product, agent);
  const events = await bytesOfEvents(product);
  await foldAll(product);
  const full = filesOf(dataFolder);
  const grown = (name) => full[name] - empty[name];
  const turns = agents.reduce((sum, { turnCount }) => sum + turnCount, 0);
  report('P6', 'events on disk', grown('events') / json, 1.25, 'x messages as JSON', {
    bytesPerTurn: grown('events') / turns,
    jsonPerTurn: json / turns,
    ofEventsAsJson: grown('events') / events.json,
    eventsJsonPerTurn: events.json / turns,
    sealedShare: events.sealed / events.stored,
  });
  const all = grown('events') + grown('readModels');
  report('P6', 'events and read models on disk', all / json, 1.6, 'x messages as JSON', {
    readModelBytesPerTurn: grown('readModels') / turns,
    ofEventsAsJson: all / events.json,
  });
}

/** What the events take as JSON when nothing is sealed, and what the rows hold. */
async function bytesOfEvents({ ports }) {
  let [json, stored, sealed] = [0, 0, 0];
  for (let after = 0n; ;) {
    const page = await ports.events.readAll(after, 1_000);
    const rows = await ports.sealedEvents.readAll(after, 1_000);
    for (const event of page.events) {
      json += Buffer.byteLength(event.data) + Buffer.byteLength(event.metadata);
    }
    for (const { data, metadata } of rows.events) {
      stored += Buffer.byteLength(data) + Buffer.byteLength(metadata);
      sealed += /,"sealed":"[^"]*"\}$/.exec(data)?.[0].length ?? 0;
    }
    if (page.caughtUp) return { json, stored, sealed };
    after = page.next;
  }
}

function filesOf(dataFolder) {
  const sizes = { events: 0, readModels: 0 };
  for (const name of readdirSync(dataFolder).filter((file) => /\.(db|sqlite)$/.test(file))) {
    const database = new Database(join(dataFolder, name));
    database.pragma('wal_checkpoint(TRUNCATE)');
    database.close();
    const kind = name.startsWith('events') ? 'events' : 'readModels';
    sizes[kind] += statSync(join(dataFolder, name)).size;
  }
  return sizes;
}
