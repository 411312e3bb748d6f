import type { BucketName, Buckets, CountName, Counts, UsageSplits } from '../domain/usage.js';
import { bucketsOfCacheWrites, type CacheWriteSplit } from './cache-life.js';
import { addReadings, readFigure, type Reading } from './read-figure.js';
import type { Figure, Modality, Place, UsageShape } from './usage-shape.js';

export interface ConvertedUsage {
  readonly buckets: Buckets;
  readonly counts: Counts;
  readonly splits: UsageSplits;
  readonly inconsistent: boolean;
  readonly billed?: Buckets;
}

type Part = [BucketName, number];

/** Reads figures of one usage object and remembers whether any of them was odd. */
class UsageReader {
  odd = false;

  constructor(private readonly usage: unknown) {}

  read(figure: Figure | undefined): Reading {
    const reading = readFigure(this.usage, figure);
    this.odd ||= reading.odd;
    return reading;
  }

  tokens(figure: Figure | undefined): number {
    return this.read(figure).tokens;
  }
}

/** Cuts the largest part until all fit into the total, which is kept. True if it had to. */
function fitInto(total: number, parts: Part[]): boolean {
  let excess = parts.reduce((sum, [, tokens]) => sum + tokens, 0) - total;
  if (excess <= 0) return false;
  while (excess > 0) {
    const largest = parts.reduce((one, other) => (other[1] > one[1] ? other : one));
    const cut = Math.min(excess, largest[1]);
    largest[1] -= cut;
    excess -= cut;
  }
  return true;
}

function placeOf(
  place: Place,
  part: number,
  total: Reading,
  totals: { readonly inside: number; readonly outside: number },
): 'inside' | 'outside' {
  if (typeof place === 'string') return place;
  if (part > 0 && total.told && totals.inside !== totals.outside) {
    if (total.tokens === totals.inside) return 'inside';
    if (total.tokens === totals.outside) return 'outside';
  }
  return place.byTotal;
}

function modalityParts(
  reader: UsageReader,
  modality: Modality | undefined,
  fresh: BucketName,
  cached: BucketName,
): { readonly parts: Part[]; readonly cut: boolean } {
  if (!modality) return { parts: [], cut: false };
  let all = 0;
  for (const figure of modality.all) all += reader.tokens(figure);
  const read = reader.tokens(modality.cached);
  const parts: Part[] = [
    [cached, Math.min(read, all)],
    [fresh, all - Math.min(read, all)],
  ];
  return { parts, cut: read > all };
}

interface InputSide {
  readonly parts: readonly Part[];
  readonly total: number;
  readonly cut: boolean;
  readonly unknownLife: boolean;
}

function writeSplit(reader: UsageReader, input: UsageShape['input']): CacheWriteSplit {
  const fiveMinutes = reader.tokens(input.cacheWrite5m);
  const oneHour = reader.tokens(input.cacheWrite1h);
  const total = reader.read(input.cacheWrite);
  return { total: total.told ? total.tokens : fiveMinutes + oneHour, fiveMinutes, oneHour };
}

function convertInput(
  reader: UsageReader,
  shape: UsageShape,
  iterations: readonly unknown[],
  output: number,
): InputSide {
  const { input } = shape;
  const base = reader.tokens(input.base) + reader.tokens(input.extra);
  const writes = bucketsOfCacheWrites(
    writeSplit(reader, input),
    iterations.map((iteration) => writeSplit(new UsageReader(iteration), input)),
  );
  const written = Object.entries(writes.buckets) as Part[];
  const read = reader.tokens(input.cacheRead);
  const cache = read + written.reduce((sum, [, tokens]) => sum + tokens, 0);
  const place = placeOf(input.cachePlace, cache, reader.read(shape.total), {
    inside: base + output,
    outside: base + cache + output,
  });
  const total = place === 'inside' ? base : base + cache;

  const audio = modalityParts(reader, input.audio, 'inputAudio', 'cacheReadAudio');
  const image = modalityParts(reader, input.image, 'inputImage', 'cacheReadImage');
  const video = modalityParts(reader, input.video, 'inputVideo', 'cacheReadVideo');
  const other = [...audio.parts, ...image.parts, ...video.parts];
  let textRead = read;
  for (const [name, tokens] of other) if (name.startsWith('cacheRead')) textRead -= tokens;
  const parts: Part[] = [['cacheRead', Math.max(0, textRead)], ...written, ...other];
  const tooMany = fitInto(total, parts);
  const cut = tooMany || textRead < 0 || audio.cut || image.cut || video.cut;
  const rest = total - parts.reduce((sum, [, tokens]) => sum + tokens, 0);
  return {
    parts: [['inputFresh', rest], ...parts],
    total,
    cut: cut || writes.inconsistent,
    unknownLife: writes.buckets.cacheWriteUnknown > 0,
  };
}

interface OutputFigures {
  readonly base: number;
  readonly reasoning: Reading;
  readonly citation: number;
}

function outputFigures(reader: UsageReader, shape: UsageShape): OutputFigures {
  const { output } = shape;
  return {
    base: reader.tokens(output?.base),
    reasoning: reader.read(output?.reasoning),
    citation: reader.tokens(output?.citation),
  };
}

function convertOutput(
  reader: UsageReader,
  shape: UsageShape,
  figures: OutputFigures,
  input: number,
): { readonly parts: readonly Part[]; readonly cut: boolean } {
  const { base, reasoning, citation } = figures;
  const place = placeOf(
    shape.output?.reasoningPlace ?? 'inside',
    reasoning.tokens,
    reader.read(shape.total),
    { inside: input + base, outside: input + base + reasoning.tokens },
  );
  const total = base + citation + (place === 'outside' ? reasoning.tokens : 0);
  const parts: Part[] = [
    ['outputReasoning', reasoning.tokens],
    ['outputAudio', reader.tokens(shape.output?.audio)],
    ['outputImage', reader.tokens(shape.output?.image)],
    ['outputVideo', reader.tokens(shape.output?.video)],
    ['outputCitation', citation],
  ];
  const cut = fitInto(total, parts);
  const rest = total - parts.reduce((sum, [, tokens]) => sum + tokens, 0);
  return { parts: [['outputText', rest], ...parts], cut };
}

function bucketsOf(parts: readonly Part[]): Buckets {
  return Object.fromEntries(parts.filter(([, tokens]) => tokens > 0));
}

function convertCounts(reader: UsageReader, shape: UsageShape): Counts {
  const counts: Partial<Record<CountName, number>> = {};
  for (const [name, figure] of Object.entries(shape.counts ?? {})) {
    const { tokens } = reader.read(figure);
    if (tokens > 0) counts[name as CountName] = tokens;
  }
  return counts;
}

function convertBilled(reader: UsageReader, shape: UsageShape): Buckets | undefined {
  if (!shape.billed) return undefined;
  const input = reader.read(shape.billed.input);
  const output = reader.read(shape.billed.output);
  if (!addReadings(input, output).told) return undefined;
  return bucketsOf([
    ['inputFresh', input.tokens],
    ['outputText', output.tokens],
  ]);
}

/**
 * Turns one usage object into disjoint buckets whose sums are the provider's totals. Parts that
 * exceed a total are cut, and the total is kept. Never throws.
 */
export function convertUsage(
  usage: unknown,
  shape: UsageShape,
  iterations: readonly unknown[] = [],
): ConvertedUsage {
  const reader = new UsageReader(usage);
  const figures = outputFigures(reader, shape);
  const outside = shape.output?.reasoningPlace === 'outside' ? figures.reasoning.tokens : 0;
  const input = convertInput(reader, shape, iterations, figures.base + outside);
  const output = convertOutput(reader, shape, figures, input.total);
  const reasoningTold = figures.reasoning.told || shape.output?.reasoningAlwaysTold === true;
  const counts = convertCounts(reader, shape);
  const billed = convertBilled(reader, shape);
  return {
    buckets: bucketsOf([...input.parts, ...output.parts]),
    counts,
    splits: {
      cacheLife: input.unknownLife ? 'unknown' : 'known',
      reasoning: reasoningTold ? 'known' : 'unknown',
    },
    inconsistent: reader.odd || input.cut || output.cut,
    ...(billed ? { billed } : {}),
  };
}
