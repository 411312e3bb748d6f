import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { type ScriptedMessage, scriptedAnswer } from './scripted-model.js';

/**
 * The loop that many programs have: history in a file, a call without a result is run again after
 * a restart. Nothing is wrong with it until the process dies at the wrong moment.
 */
export async function runNaiveAgent(historyFile: string, bankUrl: string): Promise<void> {
  const history: ScriptedMessage[] = existsSync(historyFile)
    ? (JSON.parse(readFileSync(historyFile, 'utf8')) as ScriptedMessage[])
    : [{ role: 'user', content: 'Pay invoice 4711.' }];
  const save = () => writeFileSync(historyFile, JSON.stringify(history));
  for (;;) {
    const last = history.at(-1)!;
    if (last.role === 'user') {
      const { content } = scriptedAnswer(history);
      history.push({ role: 'assistant', content: content as ScriptedMessage['content'] });
      save();
      continue;
    }
    const calls = typeof last.content === 'string' ? [] : last.content.filter(isToolUse);
    if (calls.length === 0) return;
    const results = [];
    for (const call of calls) {
      results.push({ type: 'tool_result', content: await callTool(call.name ?? '', bankUrl) });
    }
    history.push({ role: 'user', content: results });
    save();
  }
}

function isToolUse(block: { readonly type: string }): boolean {
  return block.type === 'tool_use';
}

async function callTool(tool: string, bankUrl: string): Promise<string> {
  if (tool === 'look_up_invoice') return 'Invoice 4711: 120.00 EUR to ACME, due today.';
  const answer = await fetch(`${bankUrl}/payments`, {
    method: 'POST',
    body: JSON.stringify({ key: randomUUID(), amount: '120.00' }),
  });
  return answer.text();
}
