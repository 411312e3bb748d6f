import fc from 'fast-check';
import { anthropicAnswer, openAiChatAnswer } from '../support/provider-answers.js';

const text = fc.string({ unit: 'grapheme', maxLength: 60 });
const id = fc.constantFrom('call-a', 'call-b', 'toolu_1');
const toolName = fc.constantFrom('refund', 'search', 'read_file');
const block = fc.oneof(
  fc.record({ type: fc.constant('text'), text }),
  fc.record({ type: fc.constantFrom('image', 'document'), artifact: text, mediaType: text }),
  fc.record({ type: fc.constant('toolCall'), id, name: toolName, args: fc.jsonValue() }),
  fc.record({ type: fc.constant('thinking'), thinking: text, signature: text }),
);
const asked = fc.array(
  fc.record({
    id,
    name: toolName,
    input: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 2 }),
  }),
  { maxLength: 2 },
);
/** Where the document says only "an object" or "a text": what the description says of it. */
export const freeValues: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  content: fc.oneof(text, fc.array(block, { maxLength: 3 })),
  blocks: fc.array(block, { maxLength: 3 }),
  message: fc.array(block, { maxLength: 3 }),
  response: fc
    .tuple(text, asked, fc.boolean())
    .map(([said, calls, openAi]) => (openAi ? openAiChatAnswer : anthropicAnswer)(said, calls)),
  format: fc.constantFrom('neutral', 'anthropic', 'openai-chat', 'gemini', 'ai-sdk', 'langchain'),
  amount: fc.constantFrom('0.01', '100.00', '0', '1e3', '-5'),
  budgetId: fc.constantFrom('team', 'night'),
  name: toolName,
  // A budget of the tenant would soon refuse all model calls.
  scope: fc.constantFrom({ kind: 'user', user: 'ann' }, { kind: 'label' }),
  cards: fc
    .record({
      cardId: fc.constantFrom('own/a', 'own/b'),
      version: fc.integer({ min: 1, max: 3 }),
      provider: fc.constantFrom('openai', 'anthropic'),
      models: fc.record({ id: fc.constantFrom('gpt-4o-mini', 'own-model') }),
      rates: fc.record({ inputFresh: fc.constantFrom('1000000', '0', '-1') }),
      currency: fc.constant('USD'),
      sources: fc.constant([{ name: 'contract' }]),
    })
    .map((card) => [card]),
  zone: fc.constantFrom('UTC', 'Europe/Berlin', 'Mars/Olympus'),
  waitMs: fc.integer({ min: 0, max: 300 }),
};
