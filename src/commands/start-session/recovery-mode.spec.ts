import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { CommandApplication } from '../../../test/support/command-application.js';
import { memoryPorts } from '../../app/memory-ports.js';
import { ForkSessionBody } from '../fork-session/fork-session.dto.js';
import { ForkSession } from '../fork-session/fork-session.handler.js';
import { StartSessionBody } from './start-session.dto.js';
import { StartSession } from './start-session.handler.js';

type Mode = 'auto' | 'manual';

/** The modes of a session and of its fork, on a server that is configured so. */
async function modes(
  environment: Readonly<Record<string, string>>,
  recoveryMode?: Mode,
): Promise<readonly Mode[]> {
  const app = await CommandApplication.open(memoryPorts(), Date.now, environment);
  const scope = app.scope(randomUUID());
  const profile = { name: 'agent', version: '1' };
  const body = Object.assign(new StartSessionBody(), { profile, recoveryMode });
  const fork = Object.assign(new ForkSessionBody(), { recoveryMode });
  const started = await app.commands.execute(new StartSession(scope, body));
  const forked = await app.commands.execute(new ForkSession(scope, fork));
  await app.close();
  return [started.state.recoveryMode, forked.state.recoveryMode];
}

it('a session is recovered as it says, else as the server is configured', async () => {
  expect(await modes({})).toEqual(['auto', 'auto']);
  const manual = { HOLDFAST_RECOVERY: 'manual' };
  expect(await modes(manual)).toEqual(['manual', 'manual']);
  expect(await modes(manual, 'auto')).toEqual(['auto', 'auto']);
  expect(await modes({}, 'manual')).toEqual(['manual', 'manual']);
});
