import { describe, expect, it } from '@jest/globals';
import { findProvider, withOverrides } from './card-index.js';
import { findCard, type CardQuery } from './find-card.js';
import { loadPriceCards } from './load-price-cards.js';
import type { PriceCard } from '../domain/price-card.js';

const cards = loadPriceCards();
const startedAt = '2026-08-01T12:00:00Z';

function find(query: CardQuery) {
  const search = findCard({ startedAt, ...query }, cards);
  return search.card ? [search.card.cardId, search.match] : search.reason;
}

describe('U28 which model prices a call', () => {
  it('the response model before the requested one, and the match is recorded', () => {
    const query = { provider: 'openai', requestedModel: 'gpt-5', responseModel: 'gpt-5-mini' };
    expect(find(query)).toEqual(['openai/gpt-5-mini', 'response_exact']);
    expect(find({ ...query, responseModel: 'unheard-of' })).toEqual([
      'openai/gpt-5',
      'requested_exact',
    ]);
  });

  it.each([
    ['openai', 'gpt-5-2025-08-07', 'openai/gpt-5', 'response_alias'],
    ['anthropic', 'claude-opus-4-8-20260601', 'anthropic/claude-opus-4-8', 'response_snapshot'],
    ['anthropic', 'claude-opus-4-8@20260601', 'anthropic/claude-opus-4-8', 'response_snapshot'],
    ['openai', 'gpt-5.6-sol-2026-06-01', 'openai/gpt-5.6-sol', 'response_snapshot'],
    ['anthropic', 'anthropic/claude-opus-4-8', 'anthropic/claude-opus-4-8', 'response_normalised'],
    ['google', 'models/gemini-2.5-pro', 'gcp.gen_ai/gemini-2.5-pro', 'response_normalised'],
    ['anthropic', 'claude-opus-4-8@latest', 'anthropic/claude-opus-4-8', 'response_normalised'],
    [
      'anthropic',
      'us.anthropic.claude-opus-4-8-v1:0',
      'anthropic/claude-opus-4-8',
      'response_normalised',
    ],
    [
      'bedrock',
      'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      'aws.bedrock/regional.anthropic.claude-sonnet-4-5-20250929-v1:0',
      'response_alias',
    ],
    [
      'aws.bedrock',
      'global.anthropic.claude-sonnet-4-5-20250929-v1:0',
      'aws.bedrock/global.anthropic.claude-sonnet-4-5-20250929-v1:0',
      'response_exact',
    ],
    ['aws', 'eu.amazon.nova-lite-v1:0', 'aws.bedrock/amazon.nova-lite-v1:0', 'response_normalised'],
    ['mistral', 'mistral-medium-latest', 'mistral_ai/mistral-medium-3', 'response_alias'],
    [
      'groq',
      'meta-llama/Llama-4-Scout-17B-16E-Instruct',
      'groq/meta-llama/llama-4-scout-17b-16e-instruct',
      'response_exact',
    ],
    ['azure', 'gpt-4o-2024-08-06', 'openai/gpt-4o', 'response_alias'],
    ['vertex', 'claude-opus-4-5@20251101', 'anthropic/claude-opus-4-5', 'response_snapshot'],
  ])('%s, %s', (provider, responseModel, cardId, match) => {
    expect(find({ provider, responseModel })).toEqual([cardId, match]);
  });
});

describe('U29 never by a part of an id', () => {
  it.each([
    ['anthropic', 'claude-opus-4-9'],
    ['anthropic', 'claude-opus-4-8-turbo'],
    ['anthropic', 'claude-opus-4'.concat('-99')],
    ['google', 'claude-sonnet-4-9'],
    ['google', 'gemini-2.5-pro-ultra'],
    ['google', 'gemini-2.5-flash-lite-preview-99'],
    ['openai', 'gpt-5.7'],
    ['openai', 'gpt-5-nano-'],
    ['openai', 'gpt-4o-audio-preview-9'],
    ['openai', 'my-gpt-4o'],
    ['mistral', 'mistral-medium-9'],
    ['bedrock', 'us.anthropic.claude-opus-4-9-20270101-v1:0'],
    ['azure', 'foo-o4-mini'],
    ['deepseek', 'deepseek-chat-v9'],
  ])('%s, %s is unpriced', (provider, responseModel) => {
    expect(find({ provider, responseModel })).toBe('no_card');
  });

  it('a card found by its id is found by no longer and by no shorter one', () => {
    const wrong: string[] = [];
    let checked = 0;
    for (const [name, entries] of cards.catalogue.names) {
      for (const { card, provider, rule } of entries) {
        if (rule !== 'exact') continue;
        for (const responseModel of [`${name}-x7`, `x7-${name}`, `${name}7`]) {
          const search = findCard({ provider, responseModel, startedAt }, cards);
          if (search.card?.cardId === card.cardId) wrong.push(responseModel);
          checked += 1;
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThan(4_000);
  });
});

describe('providers', () => {
  it('must agree, when the log names one', () => {
    expect(find({ provider: 'openai', responseModel: 'claude-opus-4-8' })).toBe('no_card');
    expect(find({ provider: 'some-proxy', responseModel: 'gpt-5' })).toBe('no_card');
  });

  it('a log that names none gets the maker of the model', () => {
    expect(find({ responseModel: 'claude-sonnet-4-5-20250929' })).toEqual([
      'anthropic/claude-sonnet-4-5',
      'response_alias',
    ]);
    expect(find({ responseModel: 'litellm_proxy/claude-sonnet-4-20250514' })).toEqual([
      'anthropic/claude-sonnet-4-0',
      'response_normalised',
    ]);
    expect(find({ responseModel: 'gpt-4o' })).toEqual(['openai/gpt-4o', 'response_exact']);
  });

  it('of several resellers with different prices none is guessed', () => {
    const resold = 'meta-llama/Llama-4-Scout-17B-16E-Instruct';
    expect(find({ responseModel: resold })).toBe('provider_ambiguous');
  });

  it.each([
    ['AWS.Bedrock', 'aws.bedrock'],
    ['some-proxy', undefined],
    ['bedrock', 'aws.bedrock'],
    ['amazon-bedrock', 'aws.bedrock'],
    ['openai.responses', 'openai'],
    ['google.vertex.chat', 'gcp.gen_ai'],
    ['gcp.vertex_ai', 'gcp.gen_ai'],
    ['azure.ai.inference', 'azure.ai.openai'],
    ['xai', 'x_ai'],
    ['mistral_ai', 'mistral_ai'],
    ['anthropic.messages', 'anthropic'],
  ])('reads the name %s as %s', (name, id) => {
    expect(findProvider(cards.providers, name)?.id).toBe(id);
  });
});

describe('overrides', () => {
  const card: PriceCard = {
    cardId: 'own',
    version: 1,
    provider: 'google',
    models: { id: 'gemini-2.5-pro' },
    rates: { inputFresh: '1', outputText: '1' },
    currency: 'USD',
    status: 'override',
    sources: [{ name: 'contract', enteredBy: 'tester' }],
  };

  it('the highest version in effect counts, whatever name the provider has', () => {
    const newer = { ...card, version: 3 };
    const own = withOverrides(cards, [card, newer, { ...card, version: 2 }]);
    const query = { provider: 'vertex_ai', responseModel: 'models/gemini-2.5-pro', startedAt };
    const search = findCard(query, own);
    expect(search).toMatchObject({ match: 'response_normalised' });
    expect(search.card).toBe(newer);
  });

  it('a card for a region prices calls from there only', () => {
    const regional = { ...card, cardId: 'own-eu', region: 'eu' };
    const own = withOverrides(cards, [card, regional]);
    const query = { provider: 'google', responseModel: 'gemini-2.5-pro', startedAt };
    expect(findCard({ ...query, region: 'EU' }, own).card?.cardId).toBe('own-eu');
    expect(findCard(query, own).card?.cardId).toBe('own');
  });
});
