import { type ChangedContext, CompareVersions } from '../audit/compare-versions.js';
import { checkedRevision } from './arguments.js';
import { amountText } from './cost-text.js';
import { CommandLineError, EXIT } from './failure.js';
import type { LocalApplication } from './local-application.js';
import { print, printJson, say } from './output.js';
import { harmless } from './replay/step-text.js';

interface Versions {
  readonly from?: string;
  readonly to?: string;
  readonly json?: boolean;
}

/** What changed in one session, for people or as JSON. */
export async function printVersionDifference(
  { queries, scope }: LocalApplication,
  sessionId: string,
  { from, to, json }: Versions,
): Promise<void> {
  const older = checkedRevision('--from', from);
  if (older === undefined) {
    throw new CommandLineError(
      'name another session, or a version of this one with --from',
      EXIT.usage,
    );
  }
  const newer = checkedRevision('--to', to);
  const found = await queries.execute(new CompareVersions(scope(sessionId), older, newer));
  if (json) return printJson(found);
  for (const { field, before, after } of found.state) {
    print(harmless(`${field}: ${shown(before)} → ${shown(after)}`));
  }
  for (const { tool, callId, before, after } of found.calls) {
    print(harmless(`call ${tool} ${callId}: ${before ?? 'none'} → ${after}`));
  }
  for (const { factId, before, after } of found.facts) {
    print(harmless(`fact ${factId}: ${shown(before?.text)} → ${shown(after?.text)}`));
  }
  printContext(found.context);
  const { before, after } = found.cost;
  print(`cost: ${costOf(before.own)} → ${costOf(after.own)}`);
  const types = Object.entries(found.events.byType).map(([type, count]) => `${count} ${type}`);
  say(`versions ${found.from} to ${found.to}: ${types.join(', ') || 'no event'}`);
}

function printContext({ same, removed, added, tokensBefore, tokensAfter }: ChangedContext): void {
  print(
    `model input: ${same} messages stay, ${tokensBefore ?? '?'} → ${tokensAfter ?? '?'} tokens`,
  );
  for (const message of removed) print(harmless(`- ${JSON.stringify(message)}`));
  for (const message of added) print(harmless(`+ ${JSON.stringify(message)}`));
}

function shown(value: unknown): string {
  return value === undefined ? 'none' : JSON.stringify(value);
}

function costOf(figures: Parameters<typeof amountText>[0] | undefined): string {
  return figures === undefined ? '0' : amountText(figures);
}
