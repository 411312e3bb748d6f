import { type JsonObject, isObject, textOf } from './log-line.js';

const TREE_TYPES: ReadonlySet<string> = new Set([
  'user',
  'assistant',
  'system',
  'progress',
  'attachment',
]);
const LOOSE_TYPES: ReadonlySet<string> = new Set([
  'file-history-snapshot',
  'queue-operation',
  'custom-title',
  'ai-title',
  'agent-name',
  'agent-setting',
  'permission-mode',
  'last-prompt',
  'bridge-session',
]);

/** How well some records look like a Claude Code log: 0 not at all, 1 all of them. */
export function scoreClaudeCode(values: readonly unknown[]): number {
  let score = 0;
  for (const value of values) {
    if (!isObject(value)) continue;
    if (isForeign(value)) return 0;
    score += scoreOf(value);
  }
  return values.length === 0 ? 0 : score / values.length;
}

/** Programs that took over the form of the lines, with another content. */
function isForeign(value: JsonObject): boolean {
  const { message } = value;
  if ('systemPayload' in value) return true;
  if (!isObject(message)) return false;
  return 'parts' in message || message['role'] === 'model';
}

function scoreOf(value: JsonObject): number {
  const type = textOf(value['type']) ?? '';
  const hasIds = textOf(value['uuid']) !== undefined && 'parentUuid' in value;
  const inSession = textOf(value['sessionId']) !== undefined;
  if (type === 'summary' && textOf(value['leafUuid']) !== undefined) return 1;
  if (TREE_TYPES.has(type) && (hasIds || (textOf(value['uuid']) !== undefined && inSession)))
    return 1;
  if (LOOSE_TYPES.has(type)) return 0.8;
  if (hasIds && inSession) return 0.8;
  return inSession && isOldAnswer(value) ? 0.9 : 0;
}

/** Lines of early versions have no type and no ids of their own. */
function isOldAnswer({ message, type }: JsonObject): boolean {
  if (!isObject(message) || type !== undefined) return false;
  return message['role'] === 'user' || isObject(message['usage']);
}
