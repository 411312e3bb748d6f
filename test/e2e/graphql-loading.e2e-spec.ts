import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { graphqlData } from '../support/graphql-client.js';
import { untilServed } from '../support/until-served.js';

const CHILDREN = 25;

let app: AppInProcess;
let position: string;
beforeAll(async () => {
  app = await startApp();
  for (const sessionId of ['parent-1', 'parent-2'])
    await app.http.post('/v1/sessions', { sessionId });
  for (let index = 0; index < CHILDREN; index += 1) {
    const parent = { sessionId: `parent-${1 + (index % 2)}`, edge: 'subagent' };
    const { body } = await app.http.post<{ position: string }>('/v1/sessions', {
      sessionId: `child-${index}`,
      parent,
      profile: { name: 'child', version: '1' },
    });
    ({ position } = body);
  }
  await untilServed(app.ports.readModels, BigInt(position));
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

interface Listed {
  readonly sessions: {
    readonly nodes: readonly {
      readonly sessionId: string;
      readonly parentId: string;
      readonly parentSession: { readonly sessionId: string };
    }[];
  };
}

/** How often documents of sessions are read by their ids while a query is answered. */
async function readsOf(query: string): Promise<{ reads: number; data: Listed }> {
  const { readModels } = app.ports;
  const read = readModels.getMany;
  let reads = 0;
  readModels.getMany = (collection, ids) => {
    if (collection.startsWith('sessions') && ids.length > 0) reads += 1;
    return read.call(readModels, collection, ids);
  };
  try {
    return { data: await graphqlData<Listed>(app, query), reads };
  } finally {
    readModels.getMany = read;
  }
}

describe('a list whose entries lead to other sessions', () => {
  it.each([2, CHILDREN])('reads these at once, for %i entries as for one', async (first) => {
    const { data, reads } = await readsOf(`{
      sessions(first: ${first}, profile: "child", atLeast: "${position}") {
        nodes { sessionId parentId parentSession { sessionId } }
      }
    }`);
    expect(data.sessions.nodes).toHaveLength(first);
    for (const { parentId, parentSession } of data.sessions.nodes) {
      expect(parentSession.sessionId).toBe(parentId);
    }
    expect(reads).toBe(1);
  });
});

describe('a connection', () => {
  interface Page {
    readonly sessions: {
      readonly edges: readonly { readonly cursor: string; readonly node: { sessionId: string } }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
    };
  }
  const page = (first: number, after?: string): Promise<Page> =>
    graphqlData(
      app,
      `query ($first: Int!, $after: String) {
        sessions(first: $first, after: $after, profile: "child") {
          edges { cursor node { sessionId } } pageInfo { hasNextPage endCursor }
        }
      }`,
      { variables: { first, after } },
    );

  it('is read to its end page by page, nothing twice and nothing left out', async () => {
    const seen: string[] = [];
    let after: string | undefined;
    for (;;) {
      const { sessions } = await page(7, after);
      seen.push(...sessions.edges.map(({ node }) => node.sessionId));
      if (!sessions.pageInfo.hasNextPage) break;
      after = sessions.pageInfo.endCursor;
    }
    expect(new Set(seen).size).toBe(CHILDREN);
    expect(seen).toHaveLength(CHILDREN);
  });

  it('goes on behind any entry', async () => {
    const all = (await page(CHILDREN)).sessions.edges;
    for (const index of [0, 3, CHILDREN - 2]) {
      const rest = (await page(CHILDREN, all[index]!.cursor)).sessions;
      const expected = all.slice(index + 1).map(({ node }) => node.sessionId);
      expect(rest.edges.map(({ node }) => node.sessionId)).toEqual(expected);
      expect(rest.pageInfo.hasNextPage).toBe(false);
    }
  });
});
