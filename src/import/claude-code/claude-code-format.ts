import { importedSessionId } from '../../identity/derived-ids.js';
import { ImportError } from '../import-error.js';
import type { LogFormat } from '../log-format.js';
import { importClaudeLog } from './import-claude-log.js';
import { scoreClaudeCode } from './score-lines.js';
import { nativeIdsOf, surveyClaudeLog } from './survey-log.js';

const NAME = 'claude-code';

export const claudeCodeFormat: LogFormat = {
  name: NAME,
  title: 'Claude Code',
  looksFor:
    'JSON lines with uuid, parentUuid, sessionId and type user, assistant or system; ' +
    'or summary with leafUuid',
  score: scoreClaudeCode,
  sessionIdOf: (tenantId, nativeId) => importedSessionId(tenantId, NAME, nativeId),
  read: async (file, onProgress) => {
    const log = await surveyClaudeLog(file, onProgress);
    if (log.counts.values === 0) {
      const message = `${file} holds no JSON value: nothing to import`;
      throw new ImportError('empty_file', message, { file });
    }
    return { nativeIds: nativeIdsOf(log), import: (ports) => importClaudeLog(log, ports) };
  },
};
