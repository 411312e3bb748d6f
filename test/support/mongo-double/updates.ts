/** Changes to one document: a replacement, a few operators, or a pipeline of $set and $unset. */
import { evaluate } from './expressions.js';
import { isOperators } from './filters.js';
import { unsupported } from './server-errors.js';
import { exact } from './value-order.js';
import type { Fields } from './wire-messages.js';

/** Operators, a pipeline, or a whole document. */
export type Change = Readonly<Fields> | readonly Fields[];

export function changed(document: Fields, change: Change, now: Date, isNew = false): Fields {
  if (isPipeline(change)) return change.reduce((one, stage) => staged(one, stage, now), document);
  if (!isOperators(change)) return { _id: document['_id'], ...(change as Fields) };
  // One level: `put` copies what it changes further down.
  const result = { ...document };
  for (const [operator, fields] of Object.entries(change)) {
    if (operator === '$setOnInsert' && !isNew) continue;
    for (const [path, value] of Object.entries(fields as Fields)) {
      apply(result, operator, path, value);
    }
  }
  return result;
}

/** The document that an upsert begins with: what its filter says by equality. */
export function seedOf(filter: Fields): Fields {
  const seed: Fields = {};
  for (const [field, value] of Object.entries(filter)) {
    if (field.startsWith('$')) continue;
    if (!isOperators(value)) put(seed, field, value);
  }
  return seed;
}

function apply(result: Fields, operator: string, path: string, value: unknown): void {
  switch (operator) {
    case '$set':
    case '$setOnInsert':
      return put(result, path, value);
    case '$unset':
      if (path.includes('.')) throw unsupported('$unset of a nested field');
      delete result[path];
      return;
    case '$inc':
      if (path.includes('.')) throw unsupported('$inc of a nested field');
      result[path] = Number(exact(result[path] ?? 0)) + Number(exact(value));
      return;
    default:
      throw unsupported(`the update ${operator}`);
  }
}

function put(result: Fields, path: string, value: unknown): void {
  const parts = path.split('.');
  const last = parts.pop()!;
  let at = result;
  for (const part of parts) {
    const inner: Fields = { ...(at[part] as Fields | undefined) };
    at[part] = inner;
    at = inner;
  }
  at[last] = value;
}

function staged(document: Fields, stage: Fields, now: Date): Fields {
  const [[operator, content] = ['']] = Object.entries(stage);
  if (operator === '$set') {
    const values = Object.entries(content as Fields).map(
      ([field, expression]) => [field, evaluate(expression, document, now)] as const,
    );
    return { ...document, ...Object.fromEntries(values) };
  }
  if (operator !== '$unset') throw unsupported(`the stage ${operator}`);
  const gone = new Set([content].flat());
  return Object.fromEntries(Object.entries(document).filter(([field]) => !gone.has(field)));
}

function isPipeline(change: Change): change is readonly Fields[] {
  return Array.isArray(change);
}
