import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AppInProcess, startApp } from '../support/app-in-process.js';
import { graphqlData } from '../support/graphql-client.js';
import { anthropicAnswer } from '../support/provider-answers.js';
import * as operations from '../support/session-life-operations.js';

let app: AppInProcess;
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.close();
  app.folder.remove();
});

const send = <Data, Variables>(
  document: operations.TypedDocumentString<Data, Variables>,
  variables: Variables,
): Promise<Data> =>
  graphqlData<Data>(app, document.toString(), {
    variables: variables as Readonly<Record<string, unknown>>,
  });

type Refused = { readonly __typename: 'Problem' };

/** The answer, where a refusal is a failure of the test. */
function done<Answer extends { readonly __typename: string }>(
  answer: Answer,
): Exclude<Answer, Refused> {
  expect(answer).not.toMatchObject({ __typename: 'Problem' });
  return answer as Exclude<Answer, Refused>;
}

describe('the client that is made of the GraphQL schema', () => {
  it('drives the whole life of a session', async () => {
    const tools = [{ name: 'refund', effect: 'opaqueWrite' as const }];
    const started = await send(operations.StartSessionDocument, { input: { tools } });
    const { sessionId } = done(started.startSession);
    const content = 'Refund order 7.';
    await send(operations.AcceptInputDocument, { sessionId, input: { content } });
    const claimToken = randomBytes(16).toString('hex');
    const claimed = await send(operations.ClaimRunDocument, {
      sessionId,
      input: { workerId: 'worker-1', claimToken },
    });
    const { epoch, runId } = done(claimed.claimRun);
    const owner = { epoch, claimToken };

    const first = await modelTurn(sessionId, owner, [{ id: 'toolu_1', name: 'refund', input: {} }]);
    const { callId } = first.calls.nodes[0]!;
    const call = { sessionId, callId };
    const permit = await send(operations.StartToolCallDocument, {
      ...call,
      input: { ...owner, attempt: 1 },
    });
    expect(done(permit.startToolCall).attempt).toBe(1);
    const recorded = await send(operations.RecordToolResultDocument, {
      ...call,
      input: { ...owner, attempt: 1, status: 'completed', content: 'Refunded.' },
    });
    expect(done(recorded.recordToolResult).call?.state).toBe('completed');
    await modelTurn(sessionId, owner, []);
    const completed = await send(operations.CompleteRunDocument, {
      sessionId,
      runId,
      input: owner,
    });
    done(completed.completeRun);
    const fork = done(
      (await send(operations.ForkSessionDocument, { sessionId, input: {} })).forkSession,
    );

    const { session } = await send(operations.SessionDocument, {
      sessionId,
      atLeast: fork.position,
    });
    expect(session).toMatchObject({
      status: 'idle',
      counters: { inputs: 1, modelCalls: 2, toolCalls: 1 },
      standing: { stoppedBy: 'completed' },
      children: { nodes: [{ sessionId: fork.sessionId, edge: 'fork' }] },
      cost: { inclusive: { calls: 2, amounts: { nodes: [{ currency: 'USD' }] } } },
    });
    expect(session.cost.inclusive.amounts.nodes[0]!.amount).toMatch(/^0\.\d+$/);
    const kinds = session.messages.nodes.map(({ kind }) => kind);
    expect(kinds).toEqual(['user', 'assistant', 'toolCall', 'assistant']);
    const types = session.events.nodes.map(({ type }) => type);
    expect(types).toEqual(
      expect.arrayContaining(['RunClaimed', 'ToolResultRecorded', 'RunCompleted']),
    );
  });

  it('tells a refusal by its type and its code', async () => {
    const answer = await send(operations.ForkSessionDocument, { sessionId: 'nobody', input: {} });
    expect(answer.forkSession).toMatchObject({ __typename: 'Problem', code: 'not_found' });
  });
});

interface Owner {
  readonly epoch: number;
  readonly claimToken: string;
}

async function modelTurn(
  sessionId: string,
  owner: Owner,
  calls: Parameters<typeof anthropicAnswer>[1],
) {
  const built = await send(operations.BuiltContextDocument, {
    sessionId,
    input: { format: 'anthropic' },
  });
  const { contextId, inputRevision, delivers } = built.builtContext;
  const started = await send(operations.StartModelCallDocument, {
    sessionId,
    input: {
      ...owner,
      contextId,
      inputRevision,
      delivers,
      provider: 'anthropic',
      model: 'claude-sonnet-4-5',
    },
  });
  const { modelCallId } = done(started.startModelCall);
  const settled = await send(operations.SettleModelCallDocument, {
    sessionId,
    modelCallId,
    input: { ...owner, response: anthropicAnswer('Done.', calls) },
  });
  return done(settled.settleModelCall);
}
