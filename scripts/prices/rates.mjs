/** From the price sets of genai-prices to rates: integers of pico-USD per million tokens. */

const bucketOfKey = {
  input_mtok: 'inputFresh',
  output_mtok: 'outputText',
  cache_read_mtok: 'cacheRead',
  cache_write_1h_mtok: 'cacheWrite1h',
  input_audio_mtok: 'inputAudio',
  output_audio_mtok: 'outputAudio',
  cache_audio_read_mtok: 'cacheReadAudio',
  input_image_mtok: 'inputImage',
  cache_image_read_mtok: 'cacheReadImage',
  output_image_mtok: 'outputImage',
  input_video_mtok: 'inputVideo',
  output_video_mtok: 'outputVideo',
  output_reasoning_mtok: 'outputReasoning',
  output_citation_mtok: 'outputCitation',
};
const feeOfKey = { web_searches_kcount: 'webSearches', requests_kcount: 'requests' };

/** The decimal text of a JSON number times 10^digits, rounded half to even. */
export function scaled(number, digits) {
  const match = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(number));
  if (!match) throw new Error(`a price must be a number that is not negative, got ${number}`);
  const [, whole, fraction = '', exponent = '0'] = match;
  const value = BigInt(whole + fraction);
  const shift = digits + Number(exponent) - fraction.length;
  if (shift >= 0) return value * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  const rest = (value % divisor) * 2n;
  const up = rest > divisor || (rest === divisor && (value / divisor) % 2n === 1n);
  return value / divisor + (up ? 1n : 0n);
}

/** USD per million tokens to pico-USD per million tokens. */
export function ratePico(usdPerMillion) {
  return scaled(usdPerMillion, 12).toString();
}

/** USD per thousand to pico-USD each. */
export function feePico(usdPerThousand) {
  return scaled(usdPerThousand, 9).toString();
}

function isClaude(model) {
  return /claude/i.test(model.id);
}

/** Only Anthropic tells the life of a cache write; elsewhere a write has one price. */
function bucketOf(key, model) {
  if (key === 'cache_write_mtok') return isClaude(model) ? 'cacheWrite5m' : 'cacheWriteUnknown';
  const bucket = bucketOfKey[key];
  if (!bucket) throw new Error(`genai-prices-v2.json: price key "${key}" is not known`);
  return bucket;
}

/** Anthropic: a write that lives an hour costs twice the input, also where a list leaves it out. */
function withHourWrites(rates, model) {
  const missing = isClaude(model) && rates.inputFresh && rates.cacheWrite5m && !rates.cacheWrite1h;
  if (!missing) return rates;
  return { ...rates, cacheWrite1h: (BigInt(rates.inputFresh) * 2n).toString() };
}

/** One price set to `{rates, fees?, contextTiers?}`. */
export function readPriceSet(prices, model, inclusive) {
  const rates = {};
  const fees = {};
  const tiers = new Map();
  for (const [key, price] of Object.entries(prices)) {
    if (feeOfKey[key]) {
      fees[feeOfKey[key]] = feePico(price);
      continue;
    }
    const bucket = bucketOf(key, model);
    if (typeof price === 'number') {
      rates[bucket] = ratePico(price);
      continue;
    }
    rates[bucket] = ratePico(price.base);
    for (const { start, price: tierPrice } of price.tiers) {
      if (!tiers.has(start)) tiers.set(start, {});
      tiers.get(start)[bucket] = ratePico(tierPrice);
    }
  }
  const contextTiers = [...tiers]
    .sort(([one], [other]) => one - other)
    .map(([above, tier]) => ({ above, inclusive, rates: withHourWrites(tier, model) }));
  return {
    rates: withHourWrites(rates, model),
    ...(Object.keys(fees).length > 0 ? { fees } : {}),
    ...(contextTiers.length > 0 ? { contextTiers } : {}),
  };
}
