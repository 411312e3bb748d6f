import fc from 'fast-check';
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';
import type { Schema } from '../support/openapi-bodies.js';
import type { KnownSession } from './known-values.js';
import { SchemaValues } from './schema-values.js';

export interface GraphqlRequest {
  readonly session: KnownSession;
  readonly field: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

const WILD = [0, 0, 5, 30];
const DEPTH_MAX = 4;
const SCALARS: Readonly<Record<string, Schema>> = {
  Boolean: { type: 'boolean' },
  Int: { type: 'integer', minimum: 1, maximum: 200 },
  SafeInt: { type: 'integer' },
  Float: { type: 'number' },
  DateTime: { type: 'string', format: 'date-time' },
  JSON: { type: 'object' },
};

/** Operations of one field of the schema: its arguments as variables, and some of its fields. */
export class GraphqlRequests {
  constructor(private readonly schema: GraphQLSchema) {}

  fields(): readonly (readonly ['query' | 'mutation', GraphQLField<unknown, unknown>])[] {
    const of = (kind: 'query' | 'mutation', type?: GraphQLObjectType | null) =>
      Object.values(type?.getFields() ?? {}).map((field) => [kind, field] as const);
    return [
      ...of('query', this.schema.getQueryType()),
      ...of('mutation', this.schema.getMutationType()),
    ];
  }

  of(
    kind: 'query' | 'mutation',
    field: GraphQLField<unknown, unknown>,
    session: KnownSession,
  ): fc.Arbitrary<GraphqlRequest> {
    return fc.constantFrom(...WILD).chain((wild) => {
      const values = new SchemaValues({}, session, wild);
      const args = field.args.map((each) => [each.name, this.argument(each, values)] as const);
      const required = field.args.filter(isRequiredArgument).map(({ name }) => name);
      const variables = fc.record(
        Object.fromEntries(args) as Record<string, fc.Arbitrary<unknown>>,
        {
          requiredKeys: wild > 5 ? [] : required,
        },
      );
      const depth = fc.integer({ min: 1, max: DEPTH_MAX });
      return fc
        .tuple(variables, depth, fc.infiniteStream(fc.nat(9)))
        .map(([given, most, dice]) => ({
          session,
          field: field.name,
          variables: given,
          query: this.operation(
            kind,
            field,
            Object.keys(given),
            () => dice.next().value as number,
            most,
          ),
        }));
    });
  }

  private operation(
    kind: string,
    field: GraphQLField<unknown, unknown>,
    given: readonly string[],
    roll: () => number,
    depth: number,
  ): string {
    const args = field.args.filter(({ name }) => given.includes(name));
    const declared = args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
    const passed = args.map(({ name }) => `${name}: $${name}`).join(', ');
    const head = declared === '' ? kind : `${kind} (${declared})`;
    const call = passed === '' ? field.name : `${field.name}(${passed})`;
    return `${head} { ${call}${this.selection(field.type, roll, depth)} }`;
  }

  /** At least one field of every object, others by chance. */
  private selection(given: GraphQLOutputType, roll: () => number, depth: number): string {
    const type = getNamedType(given);
    if (isAbstractType(type)) {
      const parts = this.schema.getPossibleTypes(type).map((each) => {
        return `... on ${each.name}${this.selection(each, roll, depth)}`;
      });
      return ` { __typename ${parts.join(' ')} }`;
    }
    if (!isObjectType(type)) return '';
    const chosen = Object.values(type.getFields())
      .filter(({ args }) => !args.some(isRequiredArgument))
      .filter((each) => depth > 1 || !isObjectType(getNamedType(each.type)))
      .filter((each) => depth > 1 || !isAbstractType(getNamedType(each.type)))
      .filter(() => roll() < 6)
      .map((each) => `${each.name}${this.selection(each.type, roll, depth - 1)}`);
    return ` { ${['__typename', ...chosen].join(' ')} }`;
  }

  private argument(
    { name, type }: GraphQLArgument | GraphQLInputField,
    values: SchemaValues,
  ): fc.Arbitrary<unknown> {
    return values.of(name, this.schemaOf(type));
  }

  /** An input type in the words of JSON Schema. */
  private schemaOf(given: GraphQLInputType): Schema {
    if (isNonNullType(given)) return this.schemaOf(given.ofType as GraphQLInputType);
    if (isListType(given)) {
      return { type: 'array', items: this.schemaOf(given.ofType as GraphQLInputType) };
    }
    if (isEnumType(given))
      return { type: 'string', enum: given.getValues().map(({ name }) => name) };
    if (!isInputObjectType(given)) return SCALARS[given.name] ?? { type: 'string' };
    const fields = Object.values(given.getFields());
    return {
      type: 'object',
      properties: Object.fromEntries(fields.map((each) => [each.name, this.schemaOf(each.type)])),
      required: fields.filter(isRequiredInputField).map(({ name }) => name),
    };
  }
}
