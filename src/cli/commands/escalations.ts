import type { Command } from 'commander';
import { print, printJson, say, table } from '../output.js';

const LISTED_MAX = 10_000;
const QUESTIONS = ['outcome', 'approval'] as const;

/** What people are asked, and by when. */
export function addEscalations(program: Command): void {
  program
    .command('escalations')
    .description('list the tool calls that wait for a person: outcomes to decide, calls to allow')
    .option('--asked <who>', 'only what this user or role has to decide')
    .option('--json', 'one JSON object on stdout')
    .action(async ({ asked, json }: { readonly asked?: string; readonly json?: boolean }) => {
      const open = await openQuestions(asked);
      if (json) return printJson({ escalations: open });
      if (open.length === 0) return say('Nobody is asked anything.');
      const rows = open.map((one) => [
        one.sessionId,
        one.callId,
        one.tool,
        one.question ?? '',
        one.asked ?? '',
        one.decisionDueAt?.slice(0, 16).replace('T', ' ') ?? '',
      ]);
      print(table([['SESSION', 'CALL', 'TOOL', 'QUESTION', 'ASKED', 'UNTIL (UTC)'], ...rows]));
      say('Answer with `holdfast decide SESSION CALL …`.');
    });
}

async function openQuestions(asked: string | undefined) {
  const { currentPosition, withExistingStore } = await import('../local-application.js');
  const { ListOpenCalls } = await import('../../projections/sessions/open-calls.query.js');
  const { openCallView } = await import('../../api/rest/open-call-views.js');
  return withExistingStore(async (application) => {
    const { tenantId } = application.scope('');
    const demand = { atLeast: await currentPosition(application) };
    const found = [];
    for (const question of QUESTIONS) {
      const query = new ListOpenCalls(tenantId, { question, asked }, LISTED_MAX, demand);
      found.push(...(await application.queries.execute(query)));
    }
    return found.map(openCallView);
  });
}
