import type { LogFormat } from '../log-format.js';
import { importSessionFile } from './import-session-file.js';
import { scoreSessionFile } from './read-session-file.js';
import { surveySessionFile } from './survey-session-file.js';

export const holdfastFormat: LogFormat = {
  name: 'holdfast',
  title: 'an exported session of Holdfast',
  looksFor: 'a first line with holdfast, which names the version and the session',
  score: scoreSessionFile,
  sessionIdOf: (_tenantId, nativeId) => nativeId,
  read: async (file, onProgress) => {
    const survey = await surveySessionFile(file, onProgress);
    const nativeIds = [...survey.sessions.keys()];
    return { nativeIds, import: (ports) => importSessionFile(survey, ports) };
  },
};
