import { describe, expect, it } from '@jest/globals';
import { FIXED_STRINGS } from '@holdfast/provider-rules';
import fc from 'fast-check';
import { type WireMessage, built } from '../../test/context/built.js';
import { GeneratedSession, steps } from '../../test/context/generated-stream.js';
import { assembleSource, missingFrom } from './assemble-source.js';
import { canonicalJson } from './canonical-json.js';
import { CONTEXT_FORMATS, type ContextFormat } from './format-names.js';
import type { HistoryRecord } from './history-record.js';
import { sourceFromRecords, stateFromRecords } from './source-from-records.js';
import type { MissingEvents } from './source-parts.js';

const wire = CONTEXT_FORMATS.filter((format) => format !== 'neutral');

function messagesOf(
  records: readonly HistoryRecord[],
  format: ContextFormat,
  model: string | undefined,
): readonly WireMessage[] {
  const source = { ...sourceFromRecords(records, 's1'), deliverNext: [] };
  const options = format === 'gemini' ? { gemini3: true } : undefined;
  return built(source, { format, model, options }).messages;
}

/** Then a word of the user follows that is made up for this one request, or may follow. */
function endsInAnswer(messages: readonly WireMessage[]): boolean {
  const last = messages.at(-1);
  const isAnswer = last?.role === 'assistant' || last?.role === 'model' || last?.type === 'ai';
  return isAnswer || JSON.stringify(last).includes(FIXED_STRINGS.continue);
}

/** Gemini joins neighbours of one role, so a content grows: what was read are its parts. */
function piecesOf(messages: readonly WireMessage[], format: ContextFormat): readonly unknown[] {
  if (format !== 'gemini') return messages;
  return messages.flatMap(({ role, parts }) =>
    (parts as readonly unknown[]).map((part) => ({ role, part })),
  );
}

/** Where a cached prefix ends on purpose. */
function endsPeriod({ event }: HistoryRecord, model: string | undefined): boolean {
  if (event.type === 'Compacted' || event.type === 'Reverted') return true;
  return event.type === 'ModelCallStarted' && event.data.requestedModel !== model;
}

describe('what a model has read', () => {
  it('stands unchanged in every later context, until a compaction, a revert or a new model', () => {
    let compared = 0;
    fc.assert(
      fc.property(steps(24), fc.constantFrom(...wire), (all, format) => {
        const { records } = new GeneratedSession(false).play(all).stream;
        records.forEach(({ event }, place) => {
          if (event.type !== 'ModelCallStarted') return;
          const read = messagesOf(records.slice(0, place), format, event.data.requestedModel);
          const isEmpty = JSON.stringify(read).includes(FIXED_STRINGS.conversationContinues);
          if (endsInAnswer(read) || isEmpty) return;
          const { requestedModel } = event.data;
          const rest = records.slice(place).findIndex((next) => endsPeriod(next, requestedModel));
          const last = rest === -1 ? records.length : place + rest;
          for (const end of new Set([place + 2, (place + 2 + last) >> 1, last])) {
            if (end > last) continue;
            const later = messagesOf(records.slice(0, end), format, requestedModel);
            const before = piecesOf(read, format);
            const after = piecesOf(later, format).slice(0, before.length);
            expect(canonicalJson(after)).toBe(canonicalJson(before));
            compared += 1;
          }
        });
      }),
      { numRuns: 20 },
    );
    expect(compared).toBeGreaterThan(10);
  });
});

describe('a source from a window', () => {
  it('gives the context of the whole stream, with nothing else looked up than it asks for', () => {
    let windowed = 0;
    fc.assert(
      fc.property(steps(50), fc.constantFrom(...wire), (all, format) => {
        const { records } = new GeneratedSession(false).play(all).stream;
        const state = stateFromRecords(records, 's1');
        const keptFrom = state.watermark?.keptFrom.revision ?? 0;
        if (keptFrom > 0) windowed += 1;
        const window = records.filter((record) => record.revision >= keptFrom);
        let found: readonly HistoryRecord[] = [];
        for (let round = 0; round < 2; round += 1) {
          const missing = missingFrom({ state, window, found });
          found = [...found, ...lookedUp(records, missing)];
        }
        const source = assembleSource({ state, window, found });
        const whole = sourceFromRecords(records, 's1');
        expect(canonicalJson(built(source, { format }))).toBe(
          canonicalJson(built(whole, { format })),
        );
      }),
      { numRuns: 40 },
    );
    expect(windowed).toBeGreaterThan(0);
  });
});

function lookedUp(records: readonly HistoryRecord[], missing: MissingEvents): HistoryRecord[] {
  const isWanted = ({ sessionId, revision, event }: HistoryRecord): boolean => {
    if (missing.positions.some((at) => at.sessionId === sessionId && at.revision === revision)) {
      return true;
    }
    if (event.type === 'InputAccepted') {
      return missing.inputs.some(
        (input) => input.sessionId === sessionId && input.inputId === event.data.inputId,
      );
    }
    return (
      event.type === 'ToolCallRequested' &&
      missing.calls.some((call) => call.callId === event.data.callId)
    );
  };
  const older = missing.factsBefore.flatMap(({ factId, upTo }) =>
    records
      .filter(
        ({ revision, event }) =>
          revision <= upTo.revision &&
          event.type === 'FactsRecorded' &&
          event.data.facts.some((fact) => fact.factId === factId),
      )
      .slice(-1),
  );
  return [...records.filter(isWanted), ...older];
}
