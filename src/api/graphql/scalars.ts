import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { exactNumber } from '../../commands/dto/exact-json.js';
import { jsonFault } from '../../commands/dto/json-value.js';

type Variables = Readonly<Record<string, unknown>> | null | undefined;

/** Data whose shape is not Holdfast's: content of messages, arguments of tools, settings. */
export const JsonScalar = new GraphQLScalarType<unknown>({
  name: 'JSON',
  description: 'Any JSON value, at most 64 levels deep.',
  serialize: (value) => value,
  parseValue: checkedJson,
  parseLiteral: (node, variables) => checkedJson(literalValue(node, variables)),
});

/** REST's whole numbers: exact in every client, unlike 64 bits, which travel as texts. */
export const SafeIntScalar = new GraphQLScalarType<number>({
  name: 'SafeInt',
  description: 'A whole number of at most 53 bits. Positions, tokens and money are texts.',
  serialize: (value) => shown(value, Number.isSafeInteger(value)) as number,
  parseValue: safeInteger,
  parseLiteral: (node) => safeInteger(node.kind === Kind.INT ? Number(node.value) : undefined),
});

export const TimeScalar = new GraphQLScalarType<string>({
  name: 'DateTime',
  description: 'An instant, as RFC 3339 writes it: 2026-01-31T12:00:00.000Z.',
  serialize: (value) => shown(value, typeof value === 'string') as string,
  parseValue: text,
  parseLiteral: (node) => text(node.kind === Kind.STRING ? node.value : undefined),
});

function checkedJson(value: unknown): unknown {
  const fault = jsonFault(value);
  if (fault !== undefined) throw new GraphQLError(`the JSON value ${fault}`);
  return value;
}

/** What the server shows otherwise than it has declared is its own fault, and no request's. */
function shown(value: unknown, isRight: boolean): unknown {
  if (isRight) return value;
  throw new Error(`a ${typeof value} where its declaration has something else`);
}

function safeInteger(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new GraphQLError('SafeInt is a whole number of at most 53 bits');
}

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new GraphQLError('DateTime is a text');
}

function numberIn(token: string): number | string {
  try {
    return exactNumber(token);
  } catch (error) {
    throw new GraphQLError((error as Error).message);
  }
}

function literalValue(node: ValueNode, variables: Variables): unknown {
  switch (node.kind) {
    case Kind.NULL:
      return null;
    case Kind.INT:
    case Kind.FLOAT:
      return numberIn(node.value);
    case Kind.STRING:
    case Kind.BOOLEAN:
    case Kind.ENUM:
      return node.value;
    case Kind.VARIABLE:
      return variables?.[node.name.value];
    case Kind.LIST:
      return node.values.map((entry) => literalValue(entry, variables));
    case Kind.OBJECT:
      // Not by assignment: a field named __proto__ has to stay one, so that it is refused.
      return Object.fromEntries(
        node.fields.map((field) => [field.name.value, literalValue(field.value, variables)]),
      );
  }
}
