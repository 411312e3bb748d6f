import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { inputTokens, outputTokens } from '../domain/usage.js';
import { usageShapes } from './choose-shape.js';
import { convertUsage } from './convert-usage.js';
import type { Figure, Modality, Place, UsageShape } from './usage-shape.js';

const tokens = fc.nat({ max: 200_000 });

interface Report {
  readonly base: number;
  readonly extra: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly written5m: number;
  readonly written1h: number;
  readonly modal: readonly [number, number, number];
  readonly modalCached: readonly [number, number, number];
  readonly output: number;
  readonly reasoning: number;
  readonly outputModal: readonly [number, number, number];
  readonly citation: number;
}

const reports: fc.Arbitrary<Report> = fc.record({
  base: tokens,
  extra: tokens,
  cacheRead: tokens,
  cacheWrite: tokens,
  written5m: tokens,
  written1h: tokens,
  modal: fc.tuple(tokens, tokens, tokens),
  modalCached: fc.tuple(tokens, tokens, tokens),
  output: tokens,
  reasoning: tokens.filter((value) => value > 0),
  outputModal: fc.tuple(tokens, tokens, tokens),
  citation: tokens,
});

/** Writes a number where the shape reads it. True if the shape reads such a number. */
function write(
  target: Record<string, unknown>,
  figure: Figure | undefined,
  value: number,
): boolean {
  const path = figure?.[0];
  if (!path) return false;
  let current = target;
  path.forEach((step, at) => {
    const last = at === path.length - 1;
    if (typeof step !== 'string') return;
    const next = path[at + 1];
    if (last) current[step] = value;
    else if (typeof next === 'object') {
      const entry = { [next.where]: next.among[0], [next.take]: value };
      current[step] = [...((current[step] as unknown[] | undefined) ?? []), entry];
    } else current = (current[step] ??= {}) as Record<string, unknown>;
  });
  return true;
}

function writeModality(
  target: Record<string, unknown>,
  modality: Modality | undefined,
  all: number,
  cached: number,
) {
  if (!modality) return;
  write(target, modality.all[0], all);
  write(target, modality.cached, cached);
}

function written(shape: UsageShape, report: Report) {
  const usage: Record<string, unknown> = {};
  const { input, output } = shape;
  write(usage, input.base, report.base);
  const extra = write(usage, input.extra, report.extra) ? report.extra : 0;
  const read = write(usage, input.cacheRead, report.cacheRead) ? report.cacheRead : 0;
  const cacheWrite = write(usage, input.cacheWrite, report.cacheWrite) ? report.cacheWrite : 0;
  write(usage, input.cacheWrite5m, report.written5m);
  write(usage, input.cacheWrite1h, report.written1h);
  writeModality(usage, input.audio, report.modal[0], report.modalCached[0]);
  writeModality(usage, input.image, report.modal[1], report.modalCached[1]);
  writeModality(usage, input.video, report.modal[2], report.modalCached[2]);
  const base = write(usage, output?.base, report.output) ? report.output : 0;
  const reasoning = write(usage, output?.reasoning, report.reasoning) ? report.reasoning : 0;
  write(usage, output?.audio, report.outputModal[0]);
  write(usage, output?.image, report.outputModal[1]);
  write(usage, output?.video, report.outputModal[2]);
  const citation = write(usage, output?.citation, report.citation) ? report.citation : 0;
  return { usage, fresh: report.base + extra, cache: read + cacheWrite, base, reasoning, citation };
}

function isOutside(place: Place | undefined, told: 'inside' | 'outside' | undefined): boolean {
  if (place === undefined) return false;
  return typeof place === 'string' ? place === 'outside' : (told ?? place.byTotal) === 'outside';
}

describe('convertUsage', () => {
  it.each(usageShapes.map((shape) => [shape.name, shape] as const))(
    'U20 %s: the buckets add up to the totals, whatever the parts say',
    (_name, shape) => {
      fc.assert(
        fc.property(reports, (report) => {
          const { usage, fresh, cache, base, reasoning, citation } = written(shape, report);
          const { buckets } = convertUsage(usage, shape);
          const cacheOnTop = isOutside(shape.input.cachePlace, undefined);
          const reasoningOnTop = isOutside(shape.output?.reasoningPlace, undefined);
          expect(inputTokens({ buckets })).toBe(fresh + (cacheOnTop ? cache : 0));
          expect(outputTokens({ buckets })).toBe(
            base + citation + (reasoningOnTop ? reasoning : 0),
          );
          for (const value of Object.values(buckets)) expect(value).toBeGreaterThan(0);
        }),
        { numRuns: 60 },
      );
    },
  );

  const byTotal = usageShapes.filter(({ output }) => typeof output?.reasoningPlace === 'object');

  it.each(byTotal.map((shape) => [shape.name, shape] as const))(
    'U20 %s: the grand total decides whether reasoning is inside the output',
    (_name, shape) => {
      fc.assert(
        fc.property(reports, fc.constantFrom('inside', 'outside'), (report, told) => {
          const { usage, fresh, cache, base, reasoning } = written(shape, report);
          const input = fresh + (isOutside(shape.input.cachePlace, undefined) ? cache : 0);
          const output = base + (told === 'outside' ? reasoning : 0);
          write(usage, shape.total, input + output);
          const { buckets } = convertUsage(usage, shape);
          expect(inputTokens({ buckets }) + outputTokens({ buckets })).toBe(input + output);
        }),
        { numRuns: 60 },
      );
    },
  );
});
