import {
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  GraphQLBoolean,
  GraphQLID,
  type GraphQLInputType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
  GraphQLUnionType,
  getNullableType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { PAGE_MAX } from '../rest/query-fields.js';
import { type PageArguments, connectionOf, pageOf, placeOf } from './connections.js';
import type { Request } from './dispatch.js';
import { type JsonSchemaTypes, capital } from './json-schema-types.js';
import { ProblemType, Refused, notedProblem, problemError } from './problems.js';
import type { Parameter, RestOperation } from './rest-operations.js';
import { SafeIntScalar } from './scalars.js';
import type { Asking } from './asking.js';

type Arguments = Readonly<Record<string, unknown>>;
export type Field = GraphQLFieldConfig<unknown, Asking>;

/** What REST pages by; a connection has `first` and `after` of its own. */
const PAGING = ['first', 'after', 'from'];

const Done = new GraphQLObjectType({
  name: 'Done',
  fields: { done: { type: new GraphQLNonNull(GraphQLBoolean), resolve: () => true } },
});

/** The field of one REST operation: its arguments, its answer, and how the one becomes the other. */
export function fieldOf(operation: RestOperation, types: JsonSchemaTypes): Field {
  const { offer, summary, problems } = operation;
  const args = argumentsOf(operation, types);
  const ask = (given: Arguments, asking: Asking, page: Arguments = {}) =>
    asking.ask(operation, requestOf(operation, args, { ...given, ...page }));
  if (offer.kind === 'list')
    return { description: summary, ...listField(operation, types, args, ask) };
  if (offer.kind === 'query') {
    const type = types.output(operation.answer ?? {}, capital(offer.field));
    return {
      description: summary,
      type: new GraphQLNonNull(type),
      args,
      resolve: (_, given, asking) => orError(offer.field, ask(given, asking)),
    };
  }
  return {
    description: `${summary}. Refused with: ${problems.join(', ')}.`,
    type: new GraphQLNonNull(answerOf(operation, types)),
    args,
    resolve: (_, given, asking) =>
      ask(given, asking).then(
        (answer) => answer ?? {},
        (error: unknown) => new Refused(notedProblem(error, offer.field)),
      ),
  };
}

export async function orError<Answer>(field: string, answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    throw problemError(notedProblem(error, field));
  }
}

function answerOf({ offer, answer }: RestOperation, types: JsonSchemaTypes): GraphQLUnionType {
  const view = types.viewOf(answer);
  const done = view === undefined ? Done : types.object(view);
  return new GraphQLUnionType({
    name: `${capital(offer.field)}Result`,
    types: [done, ProblemType],
    resolveType: (value) => (value instanceof Refused ? ProblemType.name : done.name),
  });
}

type Ask = (given: Arguments, asking: Asking, page?: Arguments) => Promise<unknown>;

function listField(
  operation: RestOperation,
  types: JsonSchemaTypes,
  args: GraphQLFieldConfigArgumentMap,
  ask: Ask,
): Omit<Field, 'description'> {
  const { offer, answer, parameters } = operation;
  const list = offer.kind === 'list' ? offer.list : '';
  const schema = types.schemaOf(types.viewOf(answer)!);
  const node = types.nodeOf(schema.properties?.[list], capital(offer.field));
  if (node === undefined) throw new Error(`${operation.id}: ${list} is no list of a class`);
  const name = `${capital(offer.field)}Connection`;
  const connection = connectionOf(node, name, () =>
    types.fieldsOf(capital(offer.field), schema, [list, 'cursor', 'next']),
  );
  const names = parameters.map((parameter) => parameter.name);
  const behindBy = ['after', 'from'].find((one) => names.includes(one));
  return {
    type: new GraphQLNonNull(connection.type),
    args: { ...connection.args, ...args },
    resolve: async (_, given, asking) => {
      const { first, after } = given as Arguments & PageArguments;
      const place = placeOf(after);
      // One more than is wanted tells whether there are more, where REST does not say it.
      const wanted = place.skip + first + (behindBy === undefined ? 1 : 0);
      const page = {
        ...(names.includes('first') ? { first: Math.min(PAGE_MAX, wanted) } : {}),
        ...(behindBy === undefined ? {} : { [behindBy]: place.behind }),
      };
      const found = (await orError(offer.field, ask(given, asking, page))) as Arguments;
      const entries = found[list] as readonly object[];
      const nodes = entries.slice(place.skip, place.skip + first);
      const isWhole = place.skip + nodes.length === entries.length;
      const end = isWhole ? endOf(found) : undefined;
      const hasMore = 'caughtUp' in found ? found.caughtUp !== true : end !== undefined;
      return { ...found, ...pageOf(nodes, place, { hasNextPage: !isWhole || hasMore, end }) };
    },
  };
}

function endOf({ cursor, next }: Arguments): string | undefined {
  const end = cursor ?? next;
  return typeof end === 'string' || typeof end === 'number' ? String(end) : undefined;
}

function argumentsOf(
  operation: RestOperation,
  types: JsonSchemaTypes,
): GraphQLFieldConfigArgumentMap {
  const args: GraphQLFieldConfigArgumentMap = {};
  const owner = capital(operation.offer.field);
  for (const parameter of operation.parameters.filter((one) => isOffered(one, operation))) {
    const { name, description, schema, required = false } = parameter;
    const isPath = parameter.in === 'path';
    const bare = isPath ? GraphQLID : types.input(schema, `${owner}${capital(name)}`);
    args[name] = { description, type: required ? new GraphQLNonNull(bare) : bare };
  }
  if (operation.path.includes('{sessionId}')) {
    args.sessionId = { type: new GraphQLNonNull(GraphQLID) };
  }
  if (operation.body !== undefined) {
    const type = types.input(operation.body, owner);
    args.input = { type: new GraphQLNonNull(type) };
  }
  if (hasHeader(operation, 'Idempotency-Key')) {
    args.idempotencyKey = {
      type: GraphQLString,
      description: 'Names the request; the same key with the same input is answered once.',
    };
  }
  if (hasHeader(operation, 'If-Match')) {
    args.ifRevision = { type: SafeIntScalar, description: 'Only if the session is at it.' };
  }
  return args;
}

function hasHeader({ parameters }: RestOperation, header: string): boolean {
  return parameters.some(({ name, in: place }) => place === 'header' && name === header);
}

/** A table is a form of REST; embedded lists and connections have a page of their own. */
function isOffered({ name, in: place, schema }: Parameter, { offer }: RestOperation): boolean {
  if (place === 'header' || schema.enum?.includes('csv')) return false;
  return !(
    place === 'query' &&
    (name === 'first' || (offer.kind === 'list' && PAGING.includes(name)))
  );
}

function requestOf(
  operation: RestOperation,
  args: GraphQLFieldConfigArgumentMap,
  given: Arguments,
): Request {
  const params: Record<string, string> = {};
  const query: Record<string, string> = {};
  const page = operation.offer.kind === 'list' ? {} : { first: PAGE_MAX };
  const values: Arguments = { ...page, ...given };
  for (const name of operation.path.matchAll(/\{(\w+)\}/g))
    params[name[1]!] = String(values[name[1]!]);
  for (const { name, in: place } of operation.parameters) {
    const value = values[name];
    if (place === 'query' && isGiven(value)) query[name] = String(value);
  }
  const headers: Record<string, string> = {};
  if (typeof given.idempotencyKey === 'string') headers['idempotency-key'] = given.idempotencyKey;
  if (typeof given.ifRevision === 'number') headers['if-match'] = `"${given.ifRevision}"`;
  const body = args.input && withoutNulls(given.input, args.input.type);
  return { params, query, headers, body };
}

function isGiven(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** An optional field that is null is absent; inside of JSON null is a value. */
function withoutNulls(value: unknown, type: GraphQLInputType): unknown {
  const bare = getNullableType(type);
  if (isListType(bare)) {
    return (value as readonly unknown[]).map((one) => withoutNulls(one, bare.ofType as never));
  }
  if (!isInputObjectType(bare)) return value;
  const fields = bare.getFields();
  return Object.fromEntries(
    Object.entries(value as object)
      .filter(([, one]) => one !== null)
      .map(([name, one]) => [name, withoutNulls(one, fields[name]!.type)]),
  );
}
