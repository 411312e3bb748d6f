import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Agent } from '../agent.mjs';
import { checkTurns } from '../check.mjs';
import { EventStoreDbProcess } from '../eventstoredb-double.mjs';
import { cpuTimed, median, timed } from '../figures.mjs';
import { openProduct } from '../product.mjs';

const WARM_TURNS = 100;

/**
 * P9: a turn in one append over EventStoreDB's protocol, beside the client alone appending the same bytes.
 * The server is the tests' double in another process: its time is not a real server's, the client's is.
 */
export async function overEventStoreDb({ product, folder, options, report }) {
  const double = await EventStoreDbProcess.start();
  const environment = { HOLDFAST_EVENTSTORE_URL: double.url };
  const other = await openProduct(product.build, join(folder, 'eventstoredb'), environment);
  try {
    await measure({ product: other, embedded: product, double, options, report });
  } finally {
    await other.close();
    await double.stop();
  }
}

async function measure({ product, embedded, double, options, report }) {
  const agent = await Agent.start(product);
  const beside = await Agent.start(embedded);
  const client = await rawClient(double.url, options.dist);
  for (let turn = 0; turn < WARM_TURNS; turn += 1) {
    await agent.turn();
    await beside.turn();
    await client.append(await lastBatch(product, agent));
  }
  const times = { own: [], raw: [], embedded: [], ownMs: [] };
  let [appends, reads, turns] = [0, 0, 0];
  for (let index = 0; index < options.rounds * options.turnsPerRound; index += 1) {
    await agent.beReady();
    await beside.beReady();
    const before = await double.calls();
    const own = await cpuTimed(() => timed(() => agent.turn()));
    const after = await double.calls();
    appends += after.append - before.append;
    reads += (after.read ?? 0) - (before.read ?? 0);
    turns += 1;
    times.own.push(own.cpuMs);
    times.ownMs.push(own.result.ms);
    times.embedded.push((await cpuTimed(() => beside.turn())).cpuMs);
    const batch = await lastBatch(product, agent);
    times.raw.push((await cpuTimed(() => client.append(batch))).cpuMs);
  }
  await checkTurns(product, agent);
  await client.close();
  const of = (name) => median(times[name]);
  report('P9', 'append calls for a command over EventStoreDB', appends / turns, 1, 'calls', {
    readsPerCommand: reads / turns,
    turnMs: of('ownMs'),
  });
  report(
    'P9',
    'processor time of a turn, on top of the client alone',
    of('own') - of('raw'),
    0.15,
    'ms',
    {
      turnCpuMs: of('own'),
      clientCpuMs: of('raw'),
      embeddedCpuMs: of('embedded'),
    },
  );
}

/** The bytes of the agent's newest append, as they are stored. */
async function lastBatch(product, { sessionId }) {
  const { ports } = product;
  const name = product.stream(sessionId);
  const head = await ports.sealedEvents.head(name);
  return ports.sealedEvents.read(name, { from: Math.max(0, head - 10), maxCount: 11 });
}

async function rawClient(url, dist) {
  const file = join(dist, 'storage/eventstoredb/esdb-client.js');
  const { EsdbClient } = await import(pathToFileURL(file).href);
  const client = EsdbClient.connect(url);
  let revision = 'noStream';
  return {
    async append(events) {
      const batch = events.map(({ type, data, metadata }) => ({
        id: randomUUID(),
        type,
        isJson: true,
        data: Buffer.from(data),
        metadata: Buffer.from(metadata),
      }));
      const answer = await client.append('session-bench.raw', revision, batch, 10_000);
      if (!answer.written) throw new Error('the raw append was refused');
      revision = BigInt(answer.revision);
    },
    close: () => client.dispose(),
  };
}
