import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  type CryptoKey,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
  exportJWK,
  exportSPKI,
  generateKeyPair,
} from 'jose';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { expectProblem } from '../support/expect-problem.js';

jest.setTimeout(120_000);

const ISSUER = 'https://login.example.com/';
const AUDIENCE = 'holdfast';
const NOW_MS = Date.parse('2026-03-01T10:00:00Z');
const NOW = NOW_MS / 1_000;
const HEADER = { alg: 'ES256', kid: 'k1', typ: 'at+jwt' };

let app: AppInProcess;
let server: Server;
let asked = 0;
let pair: { readonly privateKey: CryptoKey; readonly publicKey: CryptoKey };
let foreign: typeof pair;
let edwards: typeof pair;

beforeAll(async () => {
  pair = await generateKeyPair('ES256', { extractable: true });
  foreign = await generateKeyPair('ES256', { extractable: true });
  edwards = await generateKeyPair('EdDSA', { extractable: true });
  const keys = [
    { ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' },
    { ...(await exportJWK(edwards.publicKey)), kid: 'k2', alg: 'EdDSA', use: 'sig' },
  ];
  server = createServer((_, answer) => {
    asked += 1;
    answer.setHeader('Content-Type', 'application/json').end(JSON.stringify({ keys }));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  app = await startApp({
    clock: () => NOW_MS,
    environment: {
      HOLDFAST_JWT_ISSUER: ISSUER,
      HOLDFAST_JWT_AUDIENCE: AUDIENCE,
      HOLDFAST_JWT_KEYS_URL: `${origin}/keys`,
      HOLDFAST_EGRESS_ORIGINS: origin,
      HOLDFAST_EGRESS_PRIVATE: '127.0.0.0/8',
    },
  });
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
  server.close();
});

const CLAIMS = {
  iss: ISSUER,
  aud: AUDIENCE,
  sub: 'ada',
  exp: NOW + 600,
  nbf: NOW - 10,
  tenant: 'acme',
  roles: ['writer', 'unheard-of'],
};

function signed(
  claims: JWTPayload = {},
  header: JWTHeaderParameters = HEADER,
  key: CryptoKey | Uint8Array = pair.privateKey,
): Promise<string> {
  return new SignJWT({ ...CLAIMS, ...claims }).setProtectedHeader(header).sign(key);
}

const start = (key: string, body: object = {}) =>
  app.http.send<{ sessionId: string }>('POST', '/v1/sessions', { body, key });

describe('an access token', () => {
  it('opens the tenant that it names, with the roles that it lists', async () => {
    const token = await signed();
    const { status, body } = await start(token);
    expect(status).toBe(201);
    const path = `/v1/sessions/${body.sessionId}`;
    expectProblem(await app.http.get(path), 404, 'not_found');
    const events = await app.http.get<{ items: { actor: string }[] }>(`${path}/events`, {
      key: token,
    });
    expect(events.text).toContain('"user:ada"');
    expectProblem(await app.http.get('/v1/keys', { key: token }), 403, 'forbidden');
  });

  it('may list its roles in one text, and be signed with another kind of key', async () => {
    const token = await signed(
      { roles: 'openid reader' },
      { alg: 'EdDSA', kid: 'k2', typ: 'JWT' },
      edwards.privateKey,
    );
    expect((await app.http.get('/v1/sessions', { key: token })).status).toBe(200);
    expectProblem(await start(token), 403, 'forbidden');
  });

  it('is refused when it is forged, in each of twenty ways', async () => {
    const jwk = await exportJWK(foreign.publicKey);
    const secret = new TextEncoder().encode(await exportSPKI(pair.publicKey));
    const good = await signed();
    const [head, payload, signature] = good.split('.') as [string, string, string];
    const altered = Buffer.from(JSON.stringify({ ...CLAIMS, tenant: 'other' })).toString(
      'base64url',
    );
    const forged: Readonly<Record<string, string>> = {
      unsigned: new UnsecuredJWT(CLAIMS).encode(),
      'signed with the public key as a secret': await signed(
        {},
        { ...HEADER, alg: 'HS256' },
        secret,
      ),
      'signed with another key': await signed({}, HEADER, foreign.privateKey),
      'with its own key in the header': await signed({}, { ...HEADER, jwk }, foreign.privateKey),
      'with an address of its keys': await signed(
        {},
        { ...HEADER, jku: 'https://evil.example/keys' },
      ),
      'with an address of its certificate': await signed(
        {},
        { ...HEADER, x5u: 'https://evil.example/c' },
      ),
      'of an unknown key': await signed({}, { ...HEADER, kid: 'k9' }),
      'without a key id': await signed({}, { alg: 'ES256', typ: 'at+jwt' }),
      'without a type': await signed({}, { alg: 'ES256', kid: 'k1' }),
      'of another type': await signed({}, { ...HEADER, typ: 'logout+jwt' }),
      'for another audience': await signed({ aud: 'other' }),
      'by another issuer': await signed({ iss: 'https://evil.example/' }),
      expired: await signed({ exp: NOW - 61 }),
      'not valid yet': await signed({ nbf: NOW + 61 }),
      'that never ends': await signed({ exp: undefined }),
      'of nobody': await signed({ sub: undefined }),
      'of no tenant': await signed({ tenant: undefined }),
      'of a tenant that cannot be': await signed({ tenant: 'acme.default' }),
      'with other content': `${head}.${altered}.${signature}`,
      'without its signature': `${head}.${payload}.`,
      'cut off': good.slice(0, -9),
      oversize: await signed({ padding: 'x'.repeat(9_000) }),
    };
    for (const [how, token] of Object.entries(forged)) {
      const { status } = await app.http.get('/v1/sessions', { key: token });
      expect([how, [401, 429, 431].includes(status)]).toEqual([how, true]);
    }
    expect((await start(good)).status).toBe(201);
    expect(asked).toBeLessThan(4);
  });
});

describe('tokens that are configured by halves', () => {
  it.each([
    [{ HOLDFAST_JWT_ISSUER: ISSUER }, 'together or not at all'],
    [
      {
        HOLDFAST_JWT_ISSUER: ISSUER,
        HOLDFAST_JWT_AUDIENCE: AUDIENCE,
        HOLDFAST_JWT_KEYS_URL: 'https://login.example.com/keys',
      },
      'HOLDFAST_EGRESS_ORIGINS',
    ],
  ])('stop the start: %#', async (environment, words) => {
    await expect(startApp({ environment })).rejects.toMatchObject({
      message: expect.stringContaining(words),
    });
  });
});
