import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { projectFolder } from '../architecture/project-files.js';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { untilServed } from '../support/until-served.js';
import { graphqlData } from '../support/graphql-client.js';

const guide = readFileSync(join(projectFolder, 'docs/guides/graphql.md'), 'utf8');
const examples = [...guide.matchAll(/```graphql\n([\s\S]*?)```/g)].map(([, text]) => text!);

let app: AppInProcess;
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

const run = (example: number) => graphqlData<object>(app, examples[example]!);

describe('the guide to GraphQL', () => {
  it('has examples that do what it says, one after the other', async () => {
    expect(examples).toHaveLength(5);
    expect(await run(0)).toMatchObject({
      startSession: { __typename: 'Receipt', sessionId: 'order-7', revision: 0 },
    });
    const accepted = await run(1);
    expect(accepted).toMatchObject({ acceptInput: { status: 'scheduled' } });
    expect(await run(1)).toMatchObject({ acceptInput: { code: 'precondition_failed' } });
    const { position } = (accepted as { acceptInput: { position: string } }).acceptInput;
    await untilServed(app.ports.readModels, BigInt(position));
    expect(await run(2)).toMatchObject({
      session: {
        title: 'Refund order 7',
        status: 'scheduled',
        standing: { mayContinue: true },
        events: { nodes: [{ type: 'SessionStarted' }, { type: 'InputAccepted' }] },
        children: { nodes: [] },
      },
    });
    expect(await run(3)).toMatchObject({
      sessions: { nodes: [{ sessionId: 'order-7', parentSession: null }] },
    });
  });

  it('has a subscription that begins at the beginning where it names no place', async () => {
    const client = createClient({
      url: `${app.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${app.http.key}` },
    });
    const { value } = await client.iterate({ query: examples[4]! }).next();
    expect(value).toMatchObject({
      data: { sessionEvents: { revision: 0, type: 'SessionStarted' } },
    });
    await client.dispose();
  });
});
