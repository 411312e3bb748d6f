import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';

let app: AppInProcess;
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

const asPage = { key: null, headers: { Accept: 'text/html' } };

/** The page in a browser that has what it uses and no more. */
function opened(html: string) {
  const parts = new Map<string, Record<string, unknown>>();
  const part = (id: string) => {
    if (!html.includes(`id="${id}"`)) throw new Error(`the page has no ${id}`);
    if (!parts.has(id)) parts.set(id, { value: '' });
    return parts.get(id)!;
  };
  const fetched = async (
    path: string,
    { method, headers, body }: { method: string; headers: Record<string, string>; body: string },
  ) => {
    const { text } = await app.http.send(method, path, { raw: body, headers, key: null });
    return { json: async () => JSON.parse(text) as unknown };
  };
  const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(html) ?? [];
  runInNewContext(script, {
    document: { getElementById: part },
    window: { fetch: fetched },
    JSON,
    String,
  });
  return { part, script, press: (id: string) => (part(id).onclick as () => Promise<void>)() };
}

describe('the query page', () => {
  it('needs no other server, and may reach none', async () => {
    const { status, text, headers } = await app.http.get('/graphql', asPage);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).not.toMatch(/https?:|\/\/|import|src=|href=/);
    const policy = String(headers['content-security-policy']);
    const hash = createHash('sha256').update(opened(text).script).digest('base64');
    expect(policy).toContain(`script-src 'sha256-${hash}'`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
  });

  it('sends what is written with the key that is typed, and lists what can be asked', async () => {
    const { part, press } = opened((await app.http.get('/graphql', asPage)).text);
    part('key').value = app.http.key;
    part('query').value = 'query ($n: Int!) { sessions(first: $n) { nodes { sessionId } } }';
    part('variables').value = '{"n": 1}';
    await press('run');
    expect(JSON.parse(String(part('answer').textContent))).toEqual({
      data: { sessions: { nodes: [] } },
    });
    await press('fields');
    expect(part('answer').textContent).toMatch(/^startSession\(.*input.*\) {2}Start a session/m);
    part('key').value = 'wrong';
    await press('run');
    expect(part('answer').textContent).toContain('unauthenticated');
  });

  it('is not there where the schema is not told', async () => {
    const environment = { HOLDFAST_GRAPHQL_INTROSPECTION: 'no' };
    const closed = await startApp({ environment });
    try {
      expect((await closed.http.get('/graphql', asPage)).status).toBe(400);
    } finally {
      await closed.close();
      closed.folder.remove();
    }
  });
});
