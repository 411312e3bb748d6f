import { CONTENT_FIELDS, type ContentField } from '../../domain/events/content-fields.js';
import type { SessionEventType } from '../../domain/events.js';
import { own } from '../../domain/own.js';

type Holder = Record<string, unknown>;

/** Where a content stands in an event's data. */
export interface ContentPlace {
  readonly holder: Holder;
  readonly name: string;
  readonly erased: ContentField['erased'];
}

export function contentFieldsOf(type: string): readonly ContentField[] | undefined {
  return Object.hasOwn(CONTENT_FIELDS, type) ? CONTENT_FIELDS[type as SessionEventType] : undefined;
}

/**
 * The data with `null` in the place of each content, and the contents, in the order of
 * `contentPlaces`. What is given stays as it is.
 */
export function withoutContents(
  data: object,
  fields: readonly ContentField[],
): { readonly clear: object; readonly contents: readonly unknown[] } {
  const contents: unknown[] = [];
  let clear: unknown = data;
  for (const { path } of fields) clear = taken(clear, path, contents);
  return { clear: clear as object, contents };
}

function taken(value: unknown, path: readonly string[], contents: unknown[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const [step, ...rest] = path as readonly [string, ...string[]];
  if (step === '*') {
    return Array.isArray(value) ? value.map((one) => taken(one, rest, contents)) : value;
  }
  const before = Array.isArray(value) ? undefined : own(value as Holder, step);
  // JSON leaves out what is undefined.
  if (before === undefined) return value;
  if (rest.length === 0) {
    contents.push(before);
    return { ...value, [step]: null };
  }
  const after = taken(before, rest, contents);
  return after === before ? value : { ...value, [step]: after };
}

/** The contents that this data has, always in the same order. */
export function contentPlaces(data: object, fields: readonly ContentField[]): ContentPlace[] {
  const places: ContentPlace[] = [];
  for (const { path, erased } of fields) {
    for (const holder of holdersOf(data, path.slice(0, -1))) {
      const name = path.at(-1)!;
      if (Object.hasOwn(holder, name)) places.push({ holder, name, erased });
    }
  }
  return places;
}

function holdersOf(value: unknown, path: readonly string[]): Holder[] {
  if (typeof value !== 'object' || value === null) return [];
  const [step, ...rest] = path;
  if (step === undefined) return Array.isArray(value) ? [] : [value as Holder];
  if (step !== '*') return holdersOf(own(value as Holder, step), rest);
  return Array.isArray(value) ? value.flatMap((one) => holdersOf(one, rest)) : [];
}
