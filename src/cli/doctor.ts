import { createConnection } from 'node:net';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { keyFile, storageFolders } from '../app/open-ports.js';
import type { Configuration } from '../config/configuration.js';
import { loadConfiguration } from '../config/load-configuration.js';
import {
  type DatabaseFacts,
  type StorageFacts,
  inspectStorage,
} from '../storage/sqlite/inspect-storage.js';
import { folderFault } from '../storage/files/folder-fault.js';
import { dataFolderFault } from '../storage/sqlite/data-folder.js';
import { hasStore } from './has-store.js';
import { version } from './version.js';

export interface Finding {
  readonly ok: boolean;
  readonly what: string;
  /** What was seen and, when it is wrong, what to do. */
  readonly seen: string;
}

const SPACE_BYTES_MIN = 200 * 1024 * 1024;
const FULL = 2;

/** Looks at everything that Holdfast needs here, and changes nothing. */
export async function examine({ quick }: { readonly quick: boolean }): Promise<readonly Finding[]> {
  const configuration = loadConfiguration(process.env);
  const facts = await inspectStorage(storageFolders(configuration), { quickCheck: !quick });
  const { keys, artifacts } = facts;
  return [
    nodeFinding(),
    { ok: true, what: 'holdfast', seen: version() },
    await folderFinding(configuration.dataFolder),
    await spaceFinding(configuration.dataFolder),
    ...facts.databases.filter(({ name }) => isUsed(name, configuration)).map(databaseFinding),
    ...(configuration.mongodbUrl === undefined ? [artifactFinding(artifacts)] : []),
    {
      ok: keys.problem === undefined,
      what: 'keys',
      seen:
        keys.problem ??
        (keys.present ? keyFile(configuration) : 'none yet; the first start makes them'),
    },
    ...(await eventStoreDbFindings(configuration)),
    ...(await mongodbFindings(configuration)),
    ...(quick ? [] : await sessionsFindings(configuration)),
    await portFinding(configuration),
  ];
}

/** What an address moves to a server is not looked for in the data folder. */
function isUsed(name: DatabaseFacts['name'], { eventStoreUrl, mongodbUrl }: Configuration) {
  return (name === 'events' ? eventStoreUrl : mongodbUrl) === undefined;
}

function artifactFinding({ count, folder, sizeBytes }: StorageFacts['artifacts']): Finding {
  return { ok: true, what: 'artifacts', seen: `${count} in ${folder}, ${sizeBytes} bytes` };
}

/** Only asks for its newest event. */
async function eventStoreDbFindings({
  eventStoreUrl: url,
}: Configuration): Promise<readonly Finding[]> {
  if (url === undefined) return [];
  const what = 'eventstoredb';
  try {
    const { openEventStoreDb } = await import('../storage/eventstoredb/open-eventstoredb.js');
    const store = await openEventStoreDb({ url });
    const head = await store.headPosition();
    await store.close();
    return [{ ok: true, what, seen: `it answers; newest event at position ${head}` }];
  } catch (error) {
    return [{ ok: false, what, seen: error instanceof Error ? error.message : String(error) }];
  }
}

/** Why no session is forgotten, by the streams themselves. */
async function sessionsFindings(configuration: Configuration): Promise<readonly Finding[]> {
  if (!hasStore(configuration)) return [];
  const what = 'sessions';
  try {
    const { examineSessions } = await import('./examine-sessions.js');
    return [{ what, ...(await examineSessions()) }];
  } catch (error) {
    return [{ ok: false, what, seen: error instanceof Error ? error.message : String(error) }];
  }
}

/** Only says hello there; its keys and collections are the first start's. */
async function mongodbFindings({ mongodbUrl: url }: Configuration): Promise<readonly Finding[]> {
  if (url === undefined) return [];
  const what = 'mongodb';
  try {
    const { connectMongo } = await import('../storage/mongodb/mongo-connection.js');
    const { client, data, transactions } = await connectMongo({ url });
    await client.close();
    const kind = transactions
      ? 'with transactions'
      : 'without transactions, so batches are journaled';
    return [{ ok: true, what, seen: `the database ${data.databaseName}, ${kind}` }];
  } catch (error) {
    return [{ ok: false, what, seen: error instanceof Error ? error.message : String(error) }];
  }
}

function nodeFinding(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const ok = major > 20 || (major === 20 && minor >= 19);
  const advice = ok ? '' : '; install Node 20.19 or later';
  return { ok, what: 'node', seen: `${process.versions.node}${advice}` };
}

async function folderFinding(folder: string): Promise<Finding> {
  const fault = await dataFolderFault(folder);
  const advice = 'make it writable for this user, or choose another with HOLDFAST_DATA_DIR';
  return {
    ok: fault === undefined,
    what: 'data folder',
    seen: fault === undefined ? folder : `${folder}: ${folderFault(fault)}; ${advice}`,
  };
}

async function spaceFinding(folder: string): Promise<Finding> {
  const what = 'space';
  const existing = await nearestExisting(folder);
  const { bavail, bsize } = await statfs(existing);
  const free = bavail * bsize;
  const ok = free >= SPACE_BYTES_MIN;
  const megabytes = Math.floor(free / 1_048_576);
  return { ok, what, seen: `${megabytes} MiB free at ${existing}${ok ? '' : '; make room'}` };
}

async function nearestExisting(folder: string): Promise<string> {
  try {
    await statfs(folder);
    return folder;
  } catch {
    const parent = dirname(folder);
    return parent === folder ? folder : nearestExisting(parent);
  }
}

function databaseFinding(facts: DatabaseFacts): Finding {
  const what = `store ${facts.name}`;
  if (facts.problem !== undefined) return { ok: false, what, seen: facts.problem };
  if (!facts.present) return { ok: true, what, seen: `none yet at ${facts.file}` };
  const durable = facts.name !== 'events' || facts.synchronous === FULL;
  const whole = facts.quickCheck === undefined || facts.quickCheck === 'ok';
  const counts = Object.entries(facts.counts).map(([name, count]) => `${count} ${name}`);
  const seen = [
    facts.file,
    ...counts,
    `${facts.sizeBytes} bytes`,
    `journal ${facts.journalMode}, synchronous ${facts.synchronous}`,
    facts.quickCheck === undefined ? 'pages not checked' : `pages: ${facts.quickCheck}`,
  ].join(', ');
  return { ok: durable && whole, what, seen };
}

function portFinding({ host, port }: Configuration): Promise<Finding> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port });
    const answer = (seen: string) => {
      socket.destroy();
      resolve({ ok: true, what: 'port', seen: `${host}:${port} ${seen}` });
    };
    socket.once('connect', () => answer('is in use: a server listens there'));
    socket.once('error', () => answer('is free'));
  });
}
