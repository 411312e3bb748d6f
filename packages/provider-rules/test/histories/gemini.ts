import fc from 'fast-check';
import {
  anyId,
  given,
  isFields,
  junk,
  list,
  messages,
  NOTHING,
  resultText,
  text,
  toolName,
  type HistoryMaker,
} from './pieces.js';

const call = fc.record(
  {
    functionCall: fc.record(
      { id: anyId, name: toolName as fc.Arbitrary<unknown>, args: fc.constant({}) },
      { requiredKeys: ['name'] },
    ),
    thoughtSignature: fc.constantFrom('c2ln', 'not base64 !', ''),
  },
  { requiredKeys: ['functionCall'] },
);

const response = fc.record({
  functionResponse: fc.record(
    {
      id: anyId,
      name: fc.constantFrom<unknown>('read', 'write', 'other', undefined),
      response: fc.oneof(
        resultText.map((output) => ({ output })) as fc.Arbitrary<unknown>,
        resultText.map((error) => ({ error })),
        junk,
      ),
    },
    { requiredKeys: ['response'] },
  ),
});

const textPart = text.map((one) => ({ text: one }));
const badPart = fc.oneof(
  junk,
  fc.constantFrom<unknown>({}, { thought: true }, { text: 5 }, { thoughtSignature: 'c2ln' }),
);

function parts(...kinds: fc.Arbitrary<unknown>[]): fc.Arbitrary<unknown> {
  const weighted = kinds.map((arbitrary) => ({ weight: 6, arbitrary }));
  return fc.oneof(
    { weight: 12, arbitrary: list(fc.oneof(...weighted, { weight: 1, arbitrary: badPart }), 4) },
    { weight: 1, arbitrary: junk },
  );
}

const model = fc.record({
  role: fc.constantFrom('model', 'model', 'model', 'model', 'assistant'),
  parts: parts(call, call, textPart),
});

const user = fc.record(
  {
    role: fc.constantFrom('user', 'user', 'user', 'user', 'function'),
    parts: parts(response, response, textPart),
  },
  { requiredKeys: ['parts'] },
);

const swapped = fc.record({
  role: fc.constantFrom('user', 'model'),
  parts: parts(call, response, textPart),
});

export const gemini: HistoryMaker = {
  messy: messages(model, user, model, user, swapped),
  options: fc.record({ gemini3: fc.boolean(), vertex: fc.boolean() }, { requiredKeys: [] }),
  userTexts: (history, options) =>
    given(history.flatMap(userTextsOf)).filter(
      (one) => one !== '' || !(options as { vertex?: boolean }).vertex,
    ),
  validStart: [
    { role: 'user', parts: [{ text: 'q' }] },
    {
      role: 'model',
      parts: [{ functionCall: { id: 'a', name: 'read', args: {} }, thoughtSignature: 'c2ln' }],
    },
    {
      role: 'model',
      parts: [{ functionCall: { id: 'b', name: 'read', args: {} }, thoughtSignature: 'c2ln' }],
    },
    {
      role: 'user',
      parts: ['a', 'b'].map((id) => ({
        functionResponse: { id, name: 'read', response: { output: id } },
      })),
    },
    { role: 'model', parts: [{ text: 'done' }] },
  ],
  mayRemain: () => NOTHING,
};

function userTextsOf(content: unknown): string[] {
  if (!isFields(content) || !Array.isArray(content.parts)) return [];
  const { role } = content;
  if (role !== 'user' && role !== undefined && role !== null) return [];
  return content.parts.flatMap((part: unknown) => {
    if (typeof part === 'string') return [part];
    if (!isFields(part) || typeof part.text !== 'string') return [];
    const isTool = isFields(part.functionCall) || isFields(part.functionResponse);
    return isTool ? [] : [part.text];
  });
}
