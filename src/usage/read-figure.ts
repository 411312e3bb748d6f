import type { Figure, Path, PathStep } from './usage-shape.js';

/** No report of one call holds more; above it sums could leave the safe integers. */
const tokensMax = 1_000_000_000_000;
const digits = /^\d{1,15}$/;

export interface Reading {
  /** 0 where the report says nothing. */
  readonly tokens: number;
  /** The report holds a number here. */
  readonly told: boolean;
  /** The number was negative, no whole number or absurdly large. */
  readonly odd: boolean;
}

const nothing: Reading = { tokens: 0, told: false, odd: false };

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path of keys; undefined where there is none. Inherited keys are not seen. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const key of path) {
    if (!isRecord(current) || !Object.hasOwn(current, key)) return undefined;
    current = current[key];
  }
  return current;
}

export function textAt(value: unknown, ...paths: readonly (readonly string[])[]) {
  for (const path of paths) {
    const found = valueAt(value, path);
    if (typeof found === 'string' && found !== '') return found;
  }
  return undefined;
}

function readNumber(value: unknown): Reading {
  const number = typeof value === 'string' && digits.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || Number.isNaN(number)) return nothing;
  if (number < 0) return { tokens: 0, told: true, odd: true };
  if (number > tokensMax) return { tokens: tokensMax, told: true, odd: true };
  const whole = Math.trunc(number);
  return { tokens: whole, told: true, odd: whole !== number };
}

/** Adds what two places say. */
export function addReadings(one: Reading, other: Reading): Reading {
  return {
    tokens: one.tokens + other.tokens,
    told: one.told || other.told,
    odd: one.odd || other.odd,
  };
}

function readEntries(value: unknown, step: Exclude<PathStep, string>): Reading {
  if (!Array.isArray(value)) return nothing;
  let sum = nothing;
  for (const entry of value) {
    if (!isRecord(entry)) continue;
    const label = entry[step.where];
    if (typeof label !== 'string' || !step.among.includes(label)) continue;
    sum = addReadings(sum, readNumber(entry[step.take]));
  }
  return sum;
}

function readPath(value: unknown, path: Path): Reading {
  let current = value;
  for (const step of path) {
    if (typeof step !== 'string') return readEntries(current, step);
    current = valueAt(current, [step]);
  }
  return readNumber(current);
}

/** A number of tokens, or nothing. Never throws, whatever the value is. */
export function readFigure(value: unknown, figure: Figure | undefined): Reading {
  for (const path of figure ?? []) {
    const reading = readPath(value, path);
    if (reading.told) return reading;
  }
  return nothing;
}
