import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { EgressError, type EgressFailure } from './egress-error.js';
import { egressPolicy } from './egress-policy.js';
import { secretsIn } from './egress-secrets.js';
import { Egress } from './egress.js';
import { mayConnectTo } from './public-address.js';
import type { Resolver } from './pinned-lookup.js';
import { REQUESTS_PER_MINUTE_MAX } from './request-quota.js';

const LOOPBACK = '127.0.0.0/8';
const folder = temporaryFolder();
const secretsFile = join(folder.path, 'egress-secrets.json');
const reached: string[] = [];
const sockets = new Set<Socket>();
let headersSeen: NodeJS.Dict<string | string[]> = {};
let port = 0;

/** Answers by path; whatever is reached is remembered. */
const server = createServer((request, reply) => {
  const path = request.url ?? '';
  reached.push(path);
  headersSeen = request.headers;
  if (path === '/redirect') {
    reply.writeHead(302, { Location: '/json' }).end();
  } else if (path === '/big') {
    reply.setHeader('Content-Type', 'text/plain').end('x'.repeat(70_000));
  } else if (path === '/bomb') {
    reply.setHeader('Content-Type', 'text/plain').setHeader('Content-Encoding', 'gzip');
    reply.end(gzipSync(Buffer.alloc(10 * 1_048_576)));
  } else if (path === '/endless') {
    reply.setHeader('Content-Type', 'text/plain');
    const timer = setInterval(() => reply.write('x'), 50);
    reply.once('close', () => clearInterval(timer));
  } else if (path === '/binary') {
    reply.setHeader('Content-Type', 'image/png').end('x');
  } else {
    reply.setHeader('Content-Type', 'application/json').setHeader('Content-Encoding', 'gzip');
    reply.end(gzipSync('{"state":"done"}'));
  }
});

beforeAll(async () => {
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});

afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
  folder.remove();
});

function egress(origins: string, opened = LOOPBACK, resolver?: Resolver): Egress {
  return new Egress(egressPolicy(origins, opened), secretsIn(secretsFile), resolver);
}

/** What came of a GET: the status, or why there was no answer. */
async function get(
  url: string,
  out = egress(new URL(url).origin),
  headers?: Readonly<Record<string, string | { readonly secret: string }>>,
): Promise<number | EgressFailure> {
  try {
    return (await out.send({ tenantId: 'tenant-1', url, method: 'GET', headers })).status;
  } catch (error) {
    if (error instanceof EgressError) return error.failure;
    throw error;
  }
}

function here(path = '/json'): string {
  return `http://127.0.0.1:${port}${path}`;
}

describe('where the server may connect to', () => {
  it.each([
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '169.254.169.254',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '0.0.0.0',
    '64:ff9b::7f00:1',
    '100.64.0.1',
    'fe80::1',
    'fd00::1',
    '224.0.0.1',
    '255.255.255.255',
    'not an address',
  ])('not to %s', (address) => {
    expect(mayConnectTo(address, [])).toBe(false);
  });

  it('to public addresses', () => {
    expect(mayConnectTo('93.184.216.34', [])).toBe(true);
    expect(mayConnectTo('2606:2800:220:1:248:1893:25c8:1946', [])).toBe(true);
  });

  it('not to metadata addresses, even in a block that an operator opened', () => {
    const { openedBlocks } = egressPolicy('', '169.254.0.0/16,10.0.0.0/8');
    expect(mayConnectTo('169.254.169.254', openedBlocks)).toBe(false);
    expect(mayConnectTo('::ffff:169.254.169.254', openedBlocks)).toBe(false);
    expect(mayConnectTo('10.1.2.3', openedBlocks)).toBe(true);
  });
});

describe('a request of the server', () => {
  it.each([
    'https://127.0.0.1',
    'https://0x7f000001',
    'https://2130706433',
    'https://0177.0.0.1',
    'https://127.1',
    'https://[::1]',
    'https://[::ffff:127.0.0.1]',
    'https://169.254.169.254',
    'https://10.0.0.1',
    'https://0.0.0.0',
    'https://[64:ff9b::7f00:1]',
    'https://100.64.0.1',
    'https://192.168.0.1',
    'https://localhost',
  ])('does not reach %s, even when it is listed', async (origin) => {
    const before = sockets.size;
    const url = `${origin}:${port}/json`;
    expect(await get(url, egress(new URL(url).origin, ''))).toBe('addressNotAllowed');
    expect(sockets.size).toBe(before);
  });

  it('goes to listed origins only', async () => {
    expect(await get(here(), egress('https://api.example.com'))).toBe('originNotAllowed');
    expect(await get('https://user@api.example.com/', egress('https://api.example.com'))).toBe(
      'badUrl',
    );
    expect(await get('https://api.example.com./', egress('https://api.example.com'))).toBe(
      'badUrl',
    );
  });

  it('goes without TLS only to addresses that the operator has opened', async () => {
    const open: Resolver = () => Promise.resolve([{ address: '93.184.216.34', family: 4 }]);
    expect(await get('http://public.test/', egress('http://public.test', LOOPBACK, open))).toBe(
      'addressNotAllowed',
    );
    expect(await get(here())).toBe(200);
  });

  it('reads a compressed answer, and sends no cookie, proxy or credentials of its own', async () => {
    const answer = await egress(new URL(here()).origin).send({
      tenantId: 'tenant-1',
      url: here(),
      method: 'GET',
    });
    expect(answer.body.toString()).toBe('{"state":"done"}');
    expect(Object.keys(headersSeen).sort()).toEqual(['accept', 'connection', 'host']);
  });

  it('connects to the address that was checked, and resolves a name once', async () => {
    const answers = ['127.0.0.1', '10.0.0.1'];
    let asked = 0;
    const rebinding: Resolver = () =>
      Promise.resolve([{ address: answers[asked++] ?? '10.0.0.1', family: 4 }]);
    const url = `http://rebinding.test:${port}/json`;
    expect(await get(url, egress(new URL(url).origin, LOOPBACK, rebinding))).toBe(200);
    expect(asked).toBe(1);
  });

  it('refuses a name when one of its addresses is forbidden', async () => {
    const mixed: Resolver = () =>
      Promise.resolve([
        { address: '127.0.0.1', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ]);
    const url = `http://mixed.test:${port}/json`;
    expect(await get(url, egress(new URL(url).origin, LOOPBACK, mixed))).toBe('addressNotAllowed');
  });

  it('follows no redirect', async () => {
    const before = reached.length;
    expect(await get(here('/redirect'))).toBe('redirect');
    expect(reached.slice(before)).toEqual(['/redirect']);
  });

  it('holds no more than 64 KiB of an answer, compressed or not', async () => {
    expect(await get(here('/big'))).toBe('tooLarge');
    expect(await get(here('/bomb'))).toBe('tooLarge');
  });

  it('refuses what is neither JSON nor text', async () => {
    expect(await get(here('/binary'))).toBe('badContent');
  });

  it('gives up an answer that does not end', async () => {
    const startedMs = performance.now();
    expect(await get(here('/endless'))).toBe('timeout');
    expect(performance.now() - startedMs).toBeLessThan(20_000);
  }, 30_000);

  it('is limited per tenant, host and minute', async () => {
    const out = egress('https://forbidden.test', LOOPBACK, () =>
      Promise.resolve([{ address: '10.0.0.1', family: 4 }]),
    );
    const answers = await Promise.all(
      Array.from({ length: REQUESTS_PER_MINUTE_MAX + 1 }, () =>
        get('https://forbidden.test/', out),
      ),
    );
    expect(answers.filter((answer) => answer === 'tooManyRequests')).toHaveLength(1);
  });
});

describe('a secret of the installation', () => {
  const secret = { Authorization: { secret: 'orders' } };

  function keep(secrets: object, mode = 0o600): void {
    writeFileSync(secretsFile, JSON.stringify(secrets));
    chmodSync(secretsFile, mode);
  }

  it('is sent to its own origin only', async () => {
    const { origin } = new URL(here());
    keep({ orders: { origin, value: 'Bearer fake-value' } });
    expect(await get(here(), undefined, secret)).toBe(200);
    expect(headersSeen.authorization).toBe('Bearer fake-value');
    keep({ orders: { origin: 'https://api.example.com', value: 'Bearer fake-value' } });
    expect(await get(here(), undefined, secret)).toBe('secretUnavailable');
  });

  it('is not used while others can read its file, or when it is missing', async () => {
    const { origin } = new URL(here());
    keep({ orders: { origin, value: 'Bearer fake-value' } }, 0o644);
    expect(await get(here(), undefined, secret)).toBe('secretUnavailable');
    keep({});
    expect(await get(here(), undefined, secret)).toBe('secretUnavailable');
  });
});
