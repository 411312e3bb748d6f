import { AcceptInput } from '../../src/commands/accept-input/accept-input.handler.js';
import type { CommandScope } from '../../src/commands/command-scope.js';
import { StartSession } from '../../src/commands/start-session/start-session.handler.js';
import { Rejection } from '../../src/domain/rejection.js';
import { childSessionId } from '../../src/identity/derived-ids.js';
import type { Client } from './client.js';
import { SERVICE_TOOLS, type Served, UNDO_TOOL } from './service.js';

const ASKS_EVERY_MS = 4_000;

/**
 * What a worker does to make a call that starts a child: the child of this call, unless it is there
 * already, and its task; the end of its first run is the answer.
 */
export async function delegated(
  client: Client,
  parent: CommandScope,
  callId: string,
  owner: { readonly epoch: number; readonly claimToken: string },
): Promise<Served> {
  const sessionId = childSessionId(parent.sessionId, callId);
  const scope = { ...parent, sessionId };
  // The same whoever makes the call: then the second one finds the first one's child.
  const detached = sessionId < '4';
  try {
    await client.ask(
      new StartSession(scope, {
        sessionId,
        labels: {},
        profile: { name: 'agent', version: '1' },
        tools: [...SERVICE_TOOLS, UNDO_TOOL],
        recoveryMode: 'auto',
        parent: {
          sessionId: parent.sessionId,
          edge: 'subagent',
          spawningCallId: callId,
          detached,
          ...owner,
        },
      }),
    );
    const task = { inputId: `task-of-${callId}`, content: 'Do this.', role: 'user' };
    await client.ask(new AcceptInput(scope, { ...task, delivery: 'queue', resume: true }));
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    // Nobody knows whether it has begun; the caller's own time limit ends the wait.
    return new Promise(() => undefined);
  }
  for (;;) {
    const { run, lastRun } = await client.stateOf(sessionId);
    if (run === undefined && lastRun !== undefined) return { status: 'completed' };
    await client.network.scheduler.sleep(client.actor, ASKS_EVERY_MS);
  }
}
