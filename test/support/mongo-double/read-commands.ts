import { BSON } from 'mongodb';
import { type CommandContext, firstBatch, namespaceOf, takeBatch } from './admin-commands.js';
import { idsOf, matches, valueAt } from './filters.js';
import { ServerError, unsupported } from './server-errors.js';
import { compareValues, exact } from './value-order.js';
import type { Fields } from './wire-messages.js';

/** The documents that a filter selects, as this command may see them. */
export function selected(
  context: CommandContext,
  namespace: string,
  filter: Fields,
): readonly Fields[] {
  const collection = context.collections.all.get(namespace);
  if (collection === undefined) return [];
  const candidates = context.collections.read(collection, idsOf(filter), context.transaction);
  return candidates.filter((document) => matches(document, filter, context.now));
}

function find(command: Fields, context: CommandContext): Fields {
  const namespace = namespaceOf(context, command['find']);
  const found = selected(context, namespace, (command['filter'] ?? {}) as Fields);
  const sorted = sortedBy(found, (command['sort'] ?? {}) as Fields);
  const skip = numberOf(command['skip'], 0);
  const limit = numberOf(command['limit'], 0);
  const page = sorted.slice(skip, limit === 0 ? undefined : skip + limit);
  const shown = page.map((one) => projected(one, command['projection'] as Fields | undefined));
  const whole = command['singleBatch'] === true;
  const size = whole ? shown.length : numberOf(command['batchSize'], 101);
  return firstBatch(context, namespace, shown, size);
}

function getMore(command: Fields, { cursors }: CommandContext): Fields {
  const id = String(command['getMore']);
  const cursor = cursors.get(id);
  if (cursor === undefined) {
    throw new ServerError(43, 'CursorNotFound', `cursor id ${id} not found`);
  }
  const nextBatch = takeBatch(cursor.rest, numberOf(command['batchSize'], 1_000));
  const done = cursor.rest.length === 0;
  return {
    cursor: { nextBatch, id: done ? BSON.Long.ZERO : command['getMore'], ns: cursor.namespace },
  };
}

function sortedBy(documents: readonly Fields[], sort: Fields): readonly Fields[] {
  const fields = Object.entries(sort).map(([path, sign]) => [path, numberOf(sign, 1)] as const);
  if (fields.length === 0) return documents;
  return [...documents].sort((one, other) => {
    for (const [path, sign] of fields) {
      const order = compareValues(valueAt(one, path), valueAt(other, path));
      if (order !== 0) return sign * order;
    }
    return 0;
  });
}

/** Lists of whole top-level fields to show. */
function projected(document: Fields, projection: Fields | undefined): Fields {
  const entries = Object.entries(projection ?? {});
  if (entries.length === 0) return document;
  if (entries.some(([path, shown]) => path.includes('.') || numberOf(shown, 0) !== 1)) {
    throw unsupported('this projection');
  }
  const names = new Set(['_id', ...entries.map(([path]) => path)]);
  return Object.fromEntries(Object.entries(document).filter(([name]) => names.has(name)));
}

export function numberOf(value: unknown, otherwise: number): number {
  return value === undefined ? otherwise : Number(exact(value));
}

export const readCommands = { find, getMore, killCursors: () => ({}) };
