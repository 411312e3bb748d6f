import type { Command } from 'commander';
import type { Reconciliation } from '../../reconciliation/list-reconciliations.query.js';
import { print, printJson, say, table } from '../output.js';

const SESSIONS_MAX = 10_000;

/** What people are asked, and by when. */
export function addEscalations(program: Command): void {
  program
    .command('escalations')
    .description('list the tool calls that wait for a person: outcomes to decide, calls to allow')
    .option('--json', 'one JSON object on stdout')
    .action(async ({ json }: { readonly json?: boolean }) => {
      const asked = await openQuestions();
      if (json) return printJson({ escalations: asked });
      if (asked.length === 0) return say('Nobody is asked anything.');
      const rows = asked.map((one) => [
        one.sessionId,
        one.callId,
        one.tool,
        one.question,
        one.asked,
        one.dueAt.slice(0, 16).replace('T', ' '),
      ]);
      print(table([['SESSION', 'CALL', 'TOOL', 'QUESTION', 'ASKED', 'UNTIL (UTC)'], ...rows]));
      say('Answer with `holdfast decide SESSION CALL …`.');
    });
}

async function openQuestions() {
  const { currentPosition, withExistingStore } = await import('../local-application.js');
  const { ListReconciliations } =
    await import('../../reconciliation/list-reconciliations.query.js');
  return withExistingStore(async (application) => {
    const { tenantId } = application.scope('');
    const atLeast = await currentPosition(application);
    const found = await application.queries.execute(
      new ListReconciliations(tenantId, SESSIONS_MAX, { atLeast }),
    );
    return found.flatMap(questionsOf);
  });
}

function questionsOf({ sessionId, calls }: Reconciliation) {
  return calls.flatMap(({ call }) => {
    const { callId, tool, opKey, escalation, approval, status } = call;
    const common = { sessionId, callId, tool, opKey };
    if (status === 'awaitingHuman' && escalation !== undefined) {
      const { to, dueAt, escalationId } = escalation;
      return [{ ...common, question: 'outcome', asked: to, dueAt, escalationId }];
    }
    if (status === 'requested' && approval !== undefined && approval.decision === undefined) {
      return [{ ...common, question: 'approval', asked: approval.to, dueAt: approval.dueAt }];
    }
    return [];
  });
}
