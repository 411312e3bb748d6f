import type { Command } from 'commander';
import type { RestoredSession } from '../../commands/restore-session/restore-session.handler.js';
import { FORMAT_CHOICES, checkedFormat } from '../context-format.js';
import { print, printJson } from '../output.js';

interface Options {
  readonly json?: boolean;
  readonly format: string;
}

export function addRestore(program: Command): void {
  program
    .command('restore')
    .description('say how a session stands, what is unknown, and what the next model input is')
    .argument('<session>', 'id of the session')
    .option('--format <format>', FORMAT_CHOICES, 'neutral')
    .option('--json', 'one JSON object on stdout, the next model input included')
    .action(async (sessionId: string, options: Options) => {
      const { withLocalApplication } = await import('../local-application.js');
      const { RestoreSession } =
        await import('../../commands/restore-session/restore-session.handler.js');
      const { RestoreSessionBody } =
        await import('../../commands/restore-session/restore-session.dto.js');
      await withLocalApplication(async ({ commands, scope }) => {
        const body = Object.assign(new RestoreSessionBody(), {
          format: checkedFormat(options.format),
        });
        const restored = await commands.execute(new RestoreSession(scope(sessionId), body));
        if (options.json) return printJson(await answer(restored));
        print(await text(restored));
      });
    });
}

async function answer({ state, standing, attemptsLeft, context }: RestoredSession) {
  const { unresolvedCalls } = await import('../../api/rest/views.js');
  const { statusOf } = await import('../../domain/state.js');
  return {
    sessionId: state.sessionId,
    revision: state.revision,
    status: statusOf(state),
    standing,
    attemptsLeft,
    unresolved: unresolvedCalls(state),
    context,
  };
}

async function text(restored: RestoredSession): Promise<string> {
  const { status, standing, unresolved, revision } = await answer(restored);
  const { context } = restored;
  const calls = unresolved.map((call) => {
    const asked =
      call.asked === undefined ? '' : `; ${call.asked} decides by ${call.decisionDueAt}`;
    return `  ${call.tool} ${call.callId}: ${call.state}${asked}`;
  });
  return [
    `Session ${restored.state.sessionId} at revision ${revision}: ${status}`,
    `  last activity ended by: ${standing.stoppedBy}; ${standing.why}`,
    `  may continue: ${standing.mayContinue ? 'yes' : 'no'}; recovery attempts left: ${restored.attemptsLeft}`,
    unresolved.length === 0 ? 'Every tool call has an outcome.' : 'Without a known outcome:',
    ...calls,
    `Next model input: ${context.messages.length} messages, about ${context.estimatedTokens} tokens` +
      ` (see it with: holdfast context ${restored.state.sessionId})`,
  ].join('\n');
}
