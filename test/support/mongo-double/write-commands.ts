import { type CommandContext, namespaceOf } from './admin-commands.js';
import { numberOf, selected } from './read-commands.js';
import { ServerError } from './server-errors.js';
import { type Change, changed, seedOf } from './updates.js';
import { keyOf } from './value-order.js';
import type { Fields } from './wire-messages.js';

interface UpdateStatement {
  readonly q: Fields;
  readonly u: Change;
  readonly multi?: boolean;
  readonly upsert?: boolean;
}

interface UpdateResult {
  readonly count: number;
  readonly modified: number;
  readonly upserted?: unknown;
  readonly before?: Fields;
  readonly after?: Fields;
}

/** Runs each statement; a failed one becomes a write error. Ordered stops at the first of them. */
function statements<Statement>(
  list: readonly Statement[],
  command: Fields,
  context: CommandContext,
  run: (statement: Statement, index: number) => void,
): Fields {
  const writeErrors: Fields[] = [];
  for (const [index, statement] of list.entries()) {
    try {
      run(statement, index);
    } catch (error) {
      if (!(error instanceof ServerError) || error.code === 112) throw error;
      // In a transaction any error ends it.
      if (context.transaction !== undefined) throw error;
      writeErrors.push({ index, code: error.code, errmsg: error.message });
      if (command['ordered'] !== false) break;
    }
  }
  return writeErrors.length > 0 ? { writeErrors } : {};
}

function insert(command: Fields, context: CommandContext): Fields {
  const collection = context.collections.named(namespaceOf(context, command['insert']));
  let n = 0;
  const errors = statements(command['documents'] as Fields[], command, context, (document) => {
    context.collections.insert(collection, document, context.transaction);
    n += 1;
  });
  return { n, ...errors };
}

function update(command: Fields, context: CommandContext): Fields {
  const namespace = namespaceOf(context, command['update']);
  const upserted: Fields[] = [];
  let [n, nModified] = [0, 0];
  const list = command['updates'] as UpdateStatement[];
  const errors = statements(list, command, context, (statement, index) => {
    const result = updateOne(context, namespace, statement);
    n += result.count;
    nModified += result.modified;
    if (result.upserted !== undefined) upserted.push({ index, _id: result.upserted });
  });
  return { n, nModified, ...(upserted.length > 0 ? { upserted } : {}), ...errors };
}

function updateOne(
  context: CommandContext,
  namespace: string,
  { q, u, multi, upsert }: UpdateStatement,
): UpdateResult {
  const { collections, transaction, now } = context;
  const collection = collections.named(namespace);
  const found = selected(context, namespace, q);
  const hits = multi === true ? found : found.slice(0, 1);
  let modified = 0;
  let after: Fields | undefined;
  for (const document of hits) {
    after = changed(document, u, now);
    if (keyOf(after) === keyOf(document)) continue;
    collections.write(collection, keyOf(after['_id']), after, transaction);
    modified += 1;
  }
  if (hits.length > 0 || upsert !== true) {
    return { count: hits.length, modified, before: hits[0], after };
  }
  const seed = seedOf(q);
  const created = collections.insert(collection, changed(seed, u, now, true), transaction);
  return { count: 1, modified: 0, upserted: created['_id'], after: created };
}

function deleteDocuments(command: Fields, context: CommandContext): Fields {
  const namespace = namespaceOf(context, command['delete']);
  let n = 0;
  const list = command['deletes'] as { readonly q: Fields; readonly limit: unknown }[];
  const errors = statements(list, command, context, ({ q, limit }) => {
    const count = numberOf(limit, 0);
    const found = selected(context, namespace, q);
    for (const document of count === 0 ? found : found.slice(0, count)) {
      const collection = context.collections.named(namespace);
      const key = keyOf(document['_id']);
      context.collections.write(collection, key, undefined, context.transaction);
      n += 1;
    }
  });
  return { n, ...errors };
}

function findAndModify(command: Fields, context: CommandContext): Fields {
  const namespace = namespaceOf(context, command['findAndModify']);
  const result = updateOne(context, namespace, {
    q: (command['query'] ?? {}) as Fields,
    u: command['update'] as Change,
    upsert: command['upsert'] === true,
  });
  const { count, upserted, before, after } = result;
  return {
    value: (command['new'] === true ? after : before) ?? null,
    lastErrorObject: { n: count, updatedExisting: upserted === undefined && count > 0 },
  };
}

export const writeCommands = { insert, update, delete: deleteDocuments, findAndModify };
