import type { Command } from 'commander';
import { print, printJson, say, table } from '../output.js';

const OPERATION_KEY = /^hf1[a-z2-7]{52}$/;
const FOUND_MAX = 50;

/** From what a target shows of an operation to the call that made it. */
export function addFindCall(program: Command): void {
  program
    .command('find-call')
    .description('find a write by its operation key, or by the id that its target gave it')
    .argument('<name>', 'operation key (hf1…) or the id at the target')
    .option('--json', 'one JSON object on stdout')
    .action(async (name: string, { json }: { readonly json?: boolean }) => {
      const calls = await found(name);
      if (json) return printJson({ calls });
      if (calls.length === 0) return say('No write has this key or id.');
      const rows = calls.map((call) => [call.sessionId, call.callId, call.tool, call.state]);
      print(table([['SESSION', 'CALL', 'TOOL', 'STATE'], ...rows]));
    });
}

async function found(name: string) {
  const { currentPosition, withExistingStore } = await import('../local-application.js');
  const { FindCalls } = await import('../../projections/tool-calls/find-calls.query.js');
  const { ReadCall } = await import('../../history/read-call.js');
  const { callView } = await import('../../api/rest/views.js');
  const wanted = OPERATION_KEY.test(name) ? { opKey: name } : { externalRef: name };
  return withExistingStore(async (application) => {
    const { tenantId } = application.scope('');
    const { queries } = application;
    const demand = { atLeast: await currentPosition(application) };
    const calls = [];
    for (const { sessionId, callId } of await queries.execute(
      new FindCalls(tenantId, wanted, FOUND_MAX, demand),
    )) {
      const { call } = await queries.execute(new ReadCall({ tenantId, sessionId }, callId));
      calls.push({ sessionId, ...callView(call) });
    }
    return calls;
  });
}
