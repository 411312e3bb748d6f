import type { Command } from 'commander';
import type { RestoredSession } from '../../commands/restore-session/restore-session.handler.js';
import { FORMAT_CHOICES, checkedFormat } from '../context-format.js';
import { counted, print, printJson } from '../output.js';

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
      const { withExistingStore } = await import('../local-application.js');
      const { RestoreSession } =
        await import('../../commands/restore-session/restore-session.handler.js');
      const { RestoreSessionBody } =
        await import('../../commands/restore-session/restore-session.dto.js');
      await withExistingStore(async ({ commands, scope }) => {
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
    pendingInputs: state.pendingInputs.map(({ inputId }) => inputId),
    context,
  };
}

const LAST_ACTIVITY: Readonly<Record<RestoredSession['standing']['stoppedBy'], string>> = {
  nothing: 'a worker is at it',
  crash: 'the last worker died',
  shutdown: 'the last run was interrupted',
  release: 'the last run waits',
  import: 'made from a foreign log',
  user: 'stopped by a user',
  budget: 'quarantined',
  completed: 'the last run was completed',
  failed: 'the last run failed',
  neverStarted: 'nothing has run yet',
};

/** What a claim will deal with before anything goes on. */
function leftOpen({ state }: RestoredSession): readonly string[] {
  const waiting = state.pendingInputs.length;
  return [
    ...(waiting === 0
      ? []
      : [`Accepted inputs that wait for a claim or the next turn: ${waiting}`]),
    ...(state.modelCall === undefined ? [] : ['A model call was under way: a claim settles it.']),
    ...(state.compaction === undefined ? [] : ['A compaction was under way: it had no effect.']),
  ];
}

async function text(restored: RestoredSession): Promise<string> {
  const { status, standing, unresolved, revision } = await answer(restored);
  const { context } = restored;
  const calls = unresolved.map((call) => {
    const answers = call.decisions ?? ['allow', 'deny'];
    const asked =
      call.asked === undefined
        ? ''
        : `; ${call.asked} decides by ${call.decisionDueAt}: holdfast decide ` +
          `${restored.state.sessionId} ${call.callId} ${answers.join('|')}`;
    return `  ${call.tool} ${call.callId}: ${call.state}${asked}`;
  });
  return [
    `Session ${restored.state.sessionId} at revision ${revision}: ${status}`,
    `  ${LAST_ACTIVITY[standing.stoppedBy]}; ${standing.why}`,
    `  may continue: ${standing.mayContinue ? 'yes' : 'no'}; recovery attempts left: ${restored.attemptsLeft}`,
    ...leftOpen(restored),
    unresolved.length === 0 ? 'Every tool call has an outcome.' : 'Without a known outcome:',
    ...calls,
    `Next model input: ${counted(context.messages.length, 'message')}, about ${context.estimatedTokens} tokens` +
      ` (see it with: holdfast context ${restored.state.sessionId})`,
  ].join('\n');
}
