import { describe, expect, it } from '@jest/globals';
import { holdfastClient } from '../src/index.js';

/** A server that gives these answers in order; a number is a status, null no answer. */
function serverOf(answers: readonly (number | null)[]) {
  const received: { readonly key: string | null; readonly body: string }[] = [];
  const left = [...answers];
  const fetch = async (request: Request): Promise<Response> => {
    received.push({ key: request.headers.get('Idempotency-Key'), body: await request.text() });
    const status = left.shift();
    if (status === undefined || status === null) throw new TypeError('fetch failed');
    const body = status < 300 ? { inputId: 'i' } : { code: 'store_unavailable', retryable: true };
    return Response.json(body, { status, headers: { 'Retry-After': '0' } });
  };
  const client = holdfastClient({ url: 'http://127.0.0.1:9', key: 'k', fetch });
  return { client, received };
}

const path = '/v1/sessions/{sessionId}/inputs';
const input = { params: { path: { sessionId: 's' } }, body: { content: 'Pay.' } };

describe('a write of a session', () => {
  it('is sent again, identical and under one key, until there is an answer', async () => {
    const { client, received } = serverOf([null, 503, 429, 201]);
    expect((await client.POST(path, input)).data).toEqual({ inputId: 'i' });
    expect(received).toHaveLength(4);
    expect(new Set(received.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(received[0]!.key).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('keeps the key that the caller gave it', async () => {
    const { client, received } = serverOf([201]);
    const header = { 'Idempotency-Key': 'mine' };
    await client.POST(path, { ...input, params: { ...input.params, header } });
    expect(received[0]!.key).toBe('mine');
  });

  it('ends with the last answer when none is final', async () => {
    const { client, received } = serverOf([503, 503, 503, 503, 503, 201]);
    const { error } = await client.POST(path, input);
    expect(error).toMatchObject({ code: 'store_unavailable', retryable: true });
    expect(received).toHaveLength(5);
  });

  it('throws when there never was an answer', async () => {
    const { client } = serverOf([]);
    await expect(client.POST(path, input)).rejects.toThrow('fetch failed');
  });

  it('is not sent again when it is refused', async () => {
    const { client, received } = serverOf([409, 201]);
    expect((await client.POST(path, input)).error).toBeDefined();
    expect(received).toHaveLength(1);
  });

  it('ends at once when it is given up', async () => {
    const given = new AbortController();
    const { client } = serverOf([null, null, null, null, 201]);
    const asked = client.POST(path, { ...input, signal: given.signal });
    given.abort(new Error('given up'));
    await expect(asked).rejects.toThrow('given up');
  });
});

describe('what could happen twice', () => {
  it('is sent once', async () => {
    const { client, received } = serverOf([503, 201]);
    const { error } = await client.POST('/v1/keys', { body: { name: 'a', roles: ['reader'] } });
    expect(error).toMatchObject({ code: 'store_unavailable' });
    expect(received).toHaveLength(1);
  });
});

describe('an address', () => {
  it.each(['', 'localhost:4680', '127.0.0.1:4680', 'ftp://host'])(
    'that is none is refused before anything is sent: %j',
    (url) => {
      expect(() => holdfastClient({ url, key: 'k' })).toThrow(/http:\/\/127\.0\.0\.1:4680, not/);
    },
  );
});
