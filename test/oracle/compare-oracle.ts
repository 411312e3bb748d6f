import { readFileSync } from 'node:fs';
import { parsePico } from '../../src/domain/money.js';
import { inputTokens, outputTokens, type Buckets, type Usage } from '../../src/domain/usage.js';
import { loadPriceCards } from '../../src/pricing/load-price-cards.js';
import { priceCall } from '../../src/pricing/price-call.js';
import { extractUsage, type ExtractedUsage } from '../../src/usage/extract-usage.js';

export type OracleUsage = Readonly<Record<string, number>>;

interface OracleExtractor {
  readonly provider_id: string;
  readonly api_flavor: string;
  readonly input_price?: string;
  readonly output_price?: string;
  readonly total_price?: string;
}

export interface OracleEntry {
  readonly body: Readonly<Record<string, unknown>>;
  readonly model?: string;
  readonly extracted: readonly {
    readonly usage: OracleUsage;
    readonly extractors: readonly OracleExtractor[];
  }[];
}

export interface Difference {
  readonly index: number;
  readonly provider: string;
  readonly api: string;
  readonly what: string;
  readonly expected: string;
  readonly ours: string;
}

interface Mapping {
  readonly dest: string;
}

interface SourceProvider {
  readonly id: string;
  readonly extractors?: readonly {
    readonly api_flavor: string;
    readonly mappings: readonly Mapping[];
  }[];
}

export const pricedAt = '2025-11-06T12:00:00Z';
const cards = loadPriceCards();

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
}

export function readOracle(): readonly OracleEntry[] {
  return readJson('./usage-oracle.json') as OracleEntry[];
}

/** Which figures each extractor of the oracle reads. */
const figuresRead = new Map<string, ReadonlySet<string>>();
const sourceProviders = readJson('../../scripts/prices/genai-prices-v2.json') as SourceProvider[];
for (const provider of sourceProviders) {
  for (const extractor of provider.extractors ?? []) {
    const figures = new Set(extractor.mappings.map(({ dest }) => dest));
    figuresRead.set(`${provider.id}/${extractor.api_flavor}`, figures);
  }
}

const shapesOfDefault: Readonly<Record<string, string>> = {
  anthropic: 'messages',
  aws: 'converse',
  cohere: 'cohere-billed',
  google: 'gemini',
  groq: 'chat',
  minimax: 'messages',
  mistral: 'chat',
  perplexity: 'perplexity',
  'x-ai': 'xai-older',
};

/** What a caller says who knows the provider and the API, as the oracle's extractor does. */
export function apiOf(provider: string, flavor: string): string {
  if (flavor === 'default') return shapesOfDefault[provider] ?? flavor;
  if (provider === 'anthropic' && flavor === 'chat') return 'moonshot-chat';
  return flavor === 'tokens' ? 'cohere' : flavor;
}

function sum(buckets: Buckets, ...names: (keyof Buckets)[]): number {
  return names.reduce((total, name) => total + (buckets[name] ?? 0), 0);
}

/** Our usage in the oracle's terms. */
export function inOracleTerms({ buckets, counts }: Usage): OracleUsage {
  const text = sum(buckets, 'inputFresh', 'cacheRead');
  const written = sum(buckets, 'cacheWrite5m', 'cacheWrite1h', 'cacheWriteUnknown');
  const modalReads = ['cacheReadAudio', 'cacheReadImage', 'cacheReadVideo'] as const;
  return {
    input_tokens: inputTokens({ buckets }),
    output_tokens: outputTokens({ buckets }),
    cache_read_tokens: sum(buckets, 'cacheRead', ...modalReads),
    cache_text_read_tokens: sum(buckets, 'cacheRead'),
    cache_audio_read_tokens: sum(buckets, 'cacheReadAudio'),
    cache_image_read_tokens: sum(buckets, 'cacheReadImage'),
    cache_video_read_tokens: sum(buckets, 'cacheReadVideo'),
    cache_write_tokens: written,
    cache_write_5m_tokens: sum(buckets, 'cacheWrite5m'),
    cache_write_1h_tokens: sum(buckets, 'cacheWrite1h'),
    input_text_tokens: text + written,
    input_audio_tokens: sum(buckets, 'inputAudio', 'cacheReadAudio'),
    input_image_tokens: sum(buckets, 'inputImage', 'cacheReadImage'),
    input_video_tokens: sum(buckets, 'inputVideo', 'cacheReadVideo'),
    output_text_tokens: sum(buckets, 'outputText'),
    output_reasoning_tokens: sum(buckets, 'outputReasoning'),
    output_audio_tokens: sum(buckets, 'outputAudio'),
    output_image_tokens: sum(buckets, 'outputImage'),
    output_video_tokens: sum(buckets, 'outputVideo'),
    output_citation_tokens: sum(buckets, 'outputCitation'),
    web_searches: counts.webSearches ?? 0,
  };
}

/** Figures that only repeat a split of details which the provider may leave out. */
const onlyWhereTold: ReadonlySet<string> = new Set([
  'input_text_tokens',
  'output_text_tokens',
  'cache_text_read_tokens',
]);

function usageDifferences(
  expected: OracleUsage,
  ours: OracleUsage,
  read: ReadonlySet<string> | undefined,
): [string, number, number][] {
  const differences: [string, number, number][] = [];
  const figures = new Set(['input_tokens', 'output_tokens', ...Object.keys(expected)]);
  for (const figure of read ?? []) if (!onlyWhereTold.has(figure)) figures.add(figure);
  for (const figure of figures) {
    const mine = ours[figure];
    if (mine === undefined) continue;
    if ((expected[figure] ?? 0) !== mine) {
      differences.push([figure, expected[figure] ?? 0, mine]);
    }
  }
  return differences;
}

function expectedPico(extractor: OracleExtractor): string | null {
  const { input_price: input, output_price: output, total_price: total } = extractor;
  if (input === undefined && output === undefined && total === undefined) return null;
  const parts = total === undefined ? [input ?? '0', output ?? '0'] : [total];
  return parts.reduce((all, text) => all + (parsePico(text)?.pico ?? 0n), 0n).toString();
}

/** Our reading of one body by one of the oracle's extractors. */
export function readAs(entry: OracleEntry, extractor: OracleExtractor): ExtractedUsage {
  const { provider_id: provider, api_flavor: flavor } = extractor;
  return extractUsage(entry.body, { provider, api: apiOf(provider, flavor) });
}

/** Every figure and every price in which we differ from one body's expectations. */
export function differencesOf(entry: OracleEntry, index: number): Difference[] {
  const differences: Difference[] = [];
  for (const { usage: expected, extractors } of entry.extracted) {
    for (const extractor of extractors) {
      const { provider_id: provider, api_flavor: api } = extractor;
      const { usage } = readAs(entry, extractor).calls[0];
      const found = usageDifferences(
        expected,
        inOracleTerms(usage),
        figuresRead.get(`${provider}/${api}`),
      );
      for (const [what, told, ours] of found) {
        differences.push({ index, provider, api, what, expected: `${told}`, ours: `${ours}` });
      }
      const price = expectedPico(extractor);
      const cost = priceCall(
        {
          usage,
          provider,
          startedAt: pricedAt,
          ...(entry.model ? { responseModel: entry.model } : {}),
        },
        cards,
      );
      if (price !== cost.amountPico) {
        const ours = cost.amountPico ?? `null: ${cost.reason}`;
        differences.push({ index, provider, api, what: 'price', expected: `${price}`, ours });
      }
    }
  }
  return differences;
}
