import type { LogFormat } from '../log-format.js';
import { scoreClaudeCode } from './score-lines.js';

export const claudeCodeFormat: LogFormat = {
  name: 'claude-code',
  title: 'Claude Code',
  looksFor:
    'JSON lines with uuid, parentUuid, sessionId and type user, assistant or system; ' +
    'or summary with leafUuid',
  score: scoreClaudeCode,
};
