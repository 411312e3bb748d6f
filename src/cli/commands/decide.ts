import type { Command } from 'commander';
import type { HandledCommand } from '../../commands/handle-command.js';
import type { EscalationDecision } from '../../domain/events/tool-events.js';
import { CommandLineError, EXIT } from '../failure.js';
import type { LocalApplication } from '../local-application.js';
import { printJson, say } from '../output.js';
import { own } from '../../domain/own.js';

interface Options {
  readonly note?: string;
  readonly escalation?: string;
  readonly evidence?: string;
  readonly json?: boolean;
}

const OUTCOMES = ['applied', 'notApplied', 'retry', 'compensate', 'abandon'] as const;
const APPROVALS = ['allow', 'deny'] as const;

/** A person's answer to what `escalations` lists; who it was stands in the log. */
export function addDecide(program: Command): void {
  program
    .command('decide')
    .description('decide on a tool call of unknown outcome, or allow or deny one before it starts')
    .argument('<session>', 'id of the session')
    .argument('<call>', 'id of the tool call')
    .argument('<decision>', `${OUTCOMES.join(', ')}; or ${APPROVALS.join(', ')}`)
    .option('--note <text>', 'why; it stays in the log')
    .option('--escalation <id>', 'the question that you answer: refused when it is over')
    .option('--evidence <reference>', 'where the evidence is')
    .option('--json', 'one JSON object on stdout')
    .action(async (sessionId: string, callId: string, decision: string, options: Options) => {
      const { withExistingStore } = await import('../local-application.js');
      const deed = deedOf(callId, decision, options);
      const { state, receipt } = await withExistingStore((application) =>
        deed(application, sessionId),
      );
      const status = own(state.calls, callId)?.status;
      if (options.json) return printJson({ ...receipt, callId, state: status });
      say(`${callId}: ${decision} is recorded; the call is ${status ?? 'settled'}.`);
    });
}

type Deed = (application: LocalApplication, sessionId: string) => Promise<HandledCommand>;

function deedOf(callId: string, decision: string, options: Options): Deed {
  const outcome = OUTCOMES.find((known) => known === decision);
  if (outcome !== undefined) return decided(callId, outcome, options);
  const approval = APPROVALS.find((known) => known === decision);
  if (approval !== undefined) return approved(callId, approval, options);
  const known = [...OUTCOMES, ...APPROVALS].join(', ');
  throw new CommandLineError(`the decision must be one of ${known}`, EXIT.usage);
}

function decided(callId: string, decision: EscalationDecision, options: Options): Deed {
  return async ({ commands, scope }, sessionId) => {
    const { DecideEscalation } =
      await import('../../commands/decide-escalation/decide-escalation.handler.js');
    const { note, escalation: escalationId, evidence: evidenceRef } = options;
    const own = { ...scope(sessionId), idempotencyKey: crypto.randomUUID() };
    const body = { decision, note, escalationId, evidenceRef };
    return commands.execute(new DecideEscalation(own, { callId, body }));
  };
}

function approved(callId: string, decision: 'allow' | 'deny', { note }: Options): Deed {
  return async ({ commands, scope }, sessionId) => {
    const { DecideApproval } =
      await import('../../commands/decide-approval/decide-approval.handler.js');
    const own = { ...scope(sessionId), idempotencyKey: crypto.randomUUID() };
    return commands.execute(new DecideApproval(own, { callId, body: { decision, note } }));
  };
}
