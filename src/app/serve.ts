import 'reflect-metadata';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { isLoopback } from '../api/origin.js';
import type { Configuration } from '../config/configuration.js';
import { loadConfiguration } from '../config/load-configuration.js';
import { loadTokenizer } from './load-tokenizer.js';
import { keyFile, openPorts } from './open-ports.js';
import { createServer } from './server.js';

const HANG_UP_EVERY_MS = 100;

/** Listens until SIGINT or SIGTERM; then no request is cut off and the store is closed. */
export async function serve(say: (text: string) => void): Promise<void> {
  const configuration = loadConfiguration(process.env);
  refuseOpenListening(configuration);
  const tokenizer = await loadTokenizer(configuration.tokenizer);
  const ports = await openPorts(configuration);
  let app: NestFastifyApplication | undefined;
  try {
    app = await createServer({ ports, configuration, tokenizer });
    await listen(app, configuration);
  } catch (error) {
    // What was started in the background must stop before its store is closed.
    await app?.close();
    await ports.close();
    throw error;
  }
  say(greeting(await app.getUrl(), configuration));
  await untilSignal();
  say('Stopping: finishing what is under way.');
  await closeCalmly(app);
  await ports.close();
}

/** A client that keeps its connection after its last answer must not hold the server up. */
export async function closeCalmly(app: NestFastifyApplication): Promise<void> {
  const hangUp = () => app.getHttpServer().closeIdleConnections();
  const timer = setInterval(hangUp, HANG_UP_EVERY_MS);
  try {
    await app.close();
  } finally {
    clearInterval(timer);
  }
}

/** Without TLS in front, no key must travel over a network. */
function refuseOpenListening({ host, tlsInFront }: Configuration): void {
  if (isLoopback(host) || tlsInFront === 'yes') return;
  throw new ListeningRefusedError(
    `HOLDFAST_HOST is ${host}: keys would travel unencrypted to other than loopback addresses. ` +
      'Put a TLS proxy in front, and say so with HOLDFAST_TLS_IN_FRONT=yes',
  );
}

/** What the system says of an address that cannot be listened at, and what to do about it. */
const NOT_LISTENING: Readonly<Record<string, string>> = {
  EADDRINUSE:
    'another program listens there, perhaps another Holdfast: end it, or set HOLDFAST_PORT to a free port',
  EACCES: 'this user may not listen there: set HOLDFAST_PORT to a port above 1023',
  EADDRNOTAVAIL: 'this machine has no such address: set HOLDFAST_HOST to one that it has',
  ENOTFOUND: 'no address belongs to that name: set HOLDFAST_HOST to an address of this machine',
};

/** @throws ListeningRefusedError where the configuration asks for an address that cannot be had. */
async function listen(app: NestFastifyApplication, { port, host }: Configuration): Promise<void> {
  try {
    await app.listen(port, host);
  } catch (error) {
    const why = NOT_LISTENING[String((error as NodeJS.ErrnoException).code)];
    if (why === undefined) throw error;
    throw new ListeningRefusedError(`cannot listen at ${host}, port ${port}: ${why}`);
  }
}

export class ListeningRefusedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigurationError';
  }
}

function greeting(url: string, configuration: Configuration): string {
  const key = keyFile(configuration);
  return [
    `Holdfast is ready at ${url}`,
    `  data    ${configuration.dataFolder}`,
    `  API key ${key}`,
    '  try     curl -s -X POST -H "Authorization: Bearer $(cat ' + quoted(key) + ')" \\',
    `            -H 'Content-Type: application/json' -d '{"title":"hello"}' ${url}/v1/sessions`,
  ].join('\n');
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}
