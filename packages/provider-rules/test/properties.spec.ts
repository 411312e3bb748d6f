import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { repairWithReport, repair, validate, type ProviderName } from '../src/index.js';
import { aiSdk } from './histories/ai-sdk.js';
import { anthropic } from './histories/anthropic.js';
import { gemini } from './histories/gemini.js';
import { langChain } from './histories/langchain.js';
import { openAiChat } from './histories/openai-chat.js';
import { openAiResponses } from './histories/openai-responses.js';
import { anyJson, type HistoryMaker } from './histories/pieces.js';

/** Random histories per format; a release is checked with `PROPERTY_RUNS=100000`. */
const numRuns = Number(process.env.PROPERTY_RUNS ?? 1000);

const MAKERS: Record<ProviderName, HistoryMaker> = {
  'openai-chat': openAiChat,
  'openai-responses': openAiResponses,
  anthropic,
  gemini,
  'ai-sdk': aiSdk,
  langchain: langChain,
};

const timeoutMs = 10_000 + numRuns * 20;

describe.each(Object.keys(MAKERS) as ProviderName[])('random histories of %s', (provider) => {
  const maker = MAKERS[provider];

  it(
    'are valid after the repair, keep the user, and are repaired once',
    () => {
      fc.assert(
        fc.property(maker.messy, maker.options, (history, options) => {
          const bytes = JSON.stringify(history);
          const wasValid = validate(provider, history, options).length === 0;
          const report = repairWithReport(provider, history, options);
          const repaired = report.history;

          const changed = { ...options, ...report.repairedOptions };
          const remaining = validate(provider, repaired, changed);
          const allowed = maker.mayRemain(history, options);
          const again = JSON.stringify(repair(provider, repaired, options));
          const found = {
            violations: remaining.filter(({ rule }) => !allowed.has(rule)),
            isReported: JSON.stringify(report.violations) === JSON.stringify(remaining),
            isInputSame: JSON.stringify(history) === bytes,
            isValidUntouched: !wasValid || repaired === history,
            isEveryChangeListed: report.repairs.length > 0 || JSON.stringify(repaired) === bytes,
            isIdempotent: again === JSON.stringify(repaired),
            userTexts: JSON.stringify(maker.userTexts(repaired, options)),
          };
          // One comparison per history: matchers are slower than repairs.
          const userTexts = JSON.stringify(maker.userTexts(history, options));
          const isGood = found.violations.length === 0 && found.userTexts === userTexts;
          if (isGood && Object.values(found).every((value) => value !== false)) return;
          expect(found).toEqual({
            violations: [],
            isReported: true,
            isInputSame: true,
            isValidUntouched: true,
            isEveryChangeListed: true,
            isIdempotent: true,
            userTexts,
          });
        }),
        { numRuns },
      );
    },
    timeoutMs,
  );

  it(
    'do not touch the valid part before them',
    () => {
      const { validStart } = maker;
      expect(validate(provider, [...validStart, ...userSays[provider]])).toEqual([]);
      fc.assert(
        fc.property(maker.messy, (history) => {
          const all = [...validStart, ...history];
          const repaired = repair(provider, all);
          // The last message may be joined with what follows.
          const kept = validStart.slice(0, -1);
          if (kept.every((message, at) => repaired[at] === message)) return;
          expect(repaired.slice(0, kept.length)).toEqual(kept);
        }),
        { numRuns: Math.ceil(numRuns / 5) },
      );
    },
    timeoutMs,
  );

  it(
    'may be any JSON',
    () => {
      fc.assert(
        fc.property(fc.oneof(anyJson, fc.array(anyJson)), (history) => {
          const report = repairWithReport(provider, history);
          const again = repair(provider, report.history);
          const isGood = report.violations.length === 0 && again === report.history;
          if (isGood && again.length > 0) return;
          expect({ violations: report.violations, again }).toEqual({
            violations: [],
            again: report.history,
          });
        }),
        { numRuns: Math.ceil(numRuns / 5) },
      );
    },
    timeoutMs,
  );
});

const userSays: Record<ProviderName, unknown[]> = {
  'openai-chat': [{ role: 'user', content: 'n' }],
  'openai-responses': [{ role: 'user', content: 'n' }],
  anthropic: [{ role: 'user', content: 'n' }],
  gemini: [{ role: 'user', parts: [{ text: 'n' }] }],
  'ai-sdk': [{ role: 'user', content: 'n' }],
  langchain: [{ type: 'human', data: { content: 'n' } }],
};
