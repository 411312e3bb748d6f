/**
 * P8 and P10 by another program's clock: autocannon drives a running server for a bounded time, first
 * alone, then beside consumers of the feed. `npm run load -- --help`.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median, quantile, rounded } from './figures.mjs';
import { Server } from './server.mjs';

const USAGE = `npm run load -- [--seconds 60] [--connections 64] [--consumers 20] [--reading]

  Starts a server on a new folder, posts commands to it for twice the time, and says how long answers took
  (99th percentile), how far the list of sessions was behind, and how its memory grew. The second time there
  are consumers of the live feed beside it, which read nothing, or with --reading all.
  Needs: npm ci --prefix bench --ignore-scripts
`;
const SESSIONS = 64;
const SAMPLE_EVERY_MS = 500;
const SETTLE_SECONDS_MAX = 60;
const IDLE_MS_PER_SECOND = 100;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    connections: { type: 'string', default: '64' },
    consumers: { type: 'string', default: '20' },
    reading: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) process.stdout.write(USAGE);
else await main();

async function main() {
  const autocannon = await loadAutocannon();
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-load-'));
  const server = await Server.start(folder);
  try {
    await phase(autocannon, server, 5);
    const alone = await phase(autocannon, server, Number(values.seconds));
    const consumers = await openConsumers(server, Number(values.consumers));
    const beside = await phase(autocannon, server, Number(values.seconds));
    for (const consumer of consumers) consumer.destroy();
    print(alone, beside);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function loadAutocannon() {
  try {
    return (await import('autocannon')).default;
  } catch (cause) {
    throw new Error('autocannon is not installed: npm ci --prefix bench --ignore-scripts', {
      cause,
    });
  }
}

async function phase(autocannon, server, seconds) {
  const sessions = await Promise.all(Array.from({ length: SESSIONS }, () => start(server)));
  const samples = { lags: [], memory: [] };
  let isOver = false;
  const watcher = watch(server, samples, () => isOver);
  let sent = 0;
  const cpuBefore = server.cpuMs();
  const result = await autocannon({
    url: server.url,
    connections: Number(values.connections),
    duration: seconds,
    requests: [
      {
        method: 'POST',
        setupRequest: (request) => ({
          ...request,
          path: `/v1/sessions/${sessions[sent++ % SESSIONS]}/labels`,
          headers: {
            authorization: `Bearer ${server.key}`,
            'content-type': 'application/json',
            'idempotency-key': randomUUID(),
          },
          body: JSON.stringify({ set: { step: String(sent) } }),
        }),
      },
    ],
  });
  const cpuMs = server.cpuMs() - cpuBefore;
  isOver = true;
  await watcher;
  const refused = result.non2xx + result.errors + result.timeouts;
  if (refused > 0) {
    throw new Error(`${refused} of ${result.requests.total} requests were not answered well`);
  }
  return { result, cpuMs, samples };
}

async function start(server) {
  const sessionId = randomUUID();
  const profile = { name: 'load', version: '1' };
  await server.demand('POST', '/v1/sessions', { sessionId, profile });
  return sessionId;
}

async function watch(server, { lags, memory }, isOver) {
  while (!isOver()) {
    const sessionId = await start(server);
    const body = { content: 'x', delivery: 'queue', resume: false };
    const { position } = await server.demand('POST', `/v1/sessions/${sessionId}/inputs`, body);
    const writtenAt = performance.now();
    await server.demand('GET', `/v1/sessions?first=1&atLeast=${position}`);
    lags.push(performance.now() - writtenAt);
    memory.push([performance.now() / 60_000, server.residentMib()]);
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_EVERY_MS));
  }
}

/** They ask for the live feed from its beginning and never read the answer, or all of it. */
async function openConsumers(server, count) {
  const open = () =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${server.key}`, accept: 'text/event-stream' };
      const request = http.request(`${server.url}/v1/events?after=0`, { headers, agent: false });
      request.on('error', () => undefined);
      request.on('response', (response) => {
        response.on('error', () => undefined);
        if (values.reading) response.resume();
        if (response.statusCode === 200) resolve(request);
        else reject(new Error(`the feed answers ${response.statusCode}`));
      });
      request.end();
    });
  const consumers = [];
  for (let index = 0; index < count; index += 1) consumers.push(await open());
  await settled(server);
  return consumers;
}

/** Until the buffers between a server and those who do not read are full, it works for them. */
async function settled(server) {
  for (let second = 0; second < SETTLE_SECONDS_MAX; second += 1) {
    const before = server.cpuMs();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    if (server.cpuMs() - before < IDLE_MS_PER_SECOND) return;
  }
}

function print(alone, beside) {
  const rows = [
    { name: 'requests a second', of: ({ result }) => result.requests.average },
    { name: 'ms to answer, median', of: ({ result }) => result.latency.p50 },
    { name: 'ms to answer, 99th percentile', of: ({ result }) => result.latency.p99 },
    {
      name: 'µs of processor for a request',
      of: ({ result, cpuMs }) => (1_000 * cpuMs) / result.requests.total,
    },
    { name: 'ms behind, median', of: ({ samples }) => median(samples.lags) },
    { name: 'ms behind, 99th percentile', of: ({ samples }) => quantile(samples.lags, 0.99) },
    { name: 'MiB resident at the end', of: ({ samples }) => samples.memory.at(-1)[1] },
    { name: 'MiB more each minute', of: ({ samples }) => slope(samples.memory) },
  ];
  const lines = rows.map(
    ({ name, of }) => `| ${name} | ${rounded(of(alone))} | ${rounded(of(beside))} |`,
  );
  process.stdout.write(
    [
      `| | alone | beside ${values.consumers} consumers that read ${values.reading ? 'all' : 'nothing'} |`,
      '| --- | --- | --- |',
      ...lines,
      '',
      `load ${rounded(loadavg()[0])}`,
      '',
    ].join('\n'),
  );
}

/** Of the line through the points that is nearest to them. */
function slope(points) {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const across = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return across / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}
