import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type GraphQLField,
  GraphQLNonNull,
  type GraphQLOutputType,
  type GraphQLSchema,
  buildSchema,
  getNamedType,
  isLeafType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { OFFERS } from '../../src/api/graphql/operation-names.js';
import { projectFolder } from '../architecture/project-files.js';
import { type OpenApi, OpenApiBodies, type Schema } from './openapi-bodies.js';

export interface GraphqlOperation {
  readonly operationId: string;
  readonly field: string;
  readonly scopes: readonly string[];
  /** Whether it is asked for something by an id. */
  readonly namesSomething: boolean;
  readonly isQuery: boolean;
  /** `ids`: the value of an argument that names something. */
  document(ids: (name: string) => string): string;
  readonly rightInput?: object;
  /** Right for GraphQL and refused by the operation's own validation, where it has any. */
  readonly wrongInput?: object;
}

interface Described {
  readonly operationId: string;
  readonly 'x-scopes'?: readonly string[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Schema }>> };
}

export const committedSchema = (): GraphQLSchema =>
  buildSchema(readFileSync(join(projectFolder, 'docs/reference/schema.graphql'), 'utf8'));

/** Every operation of the committed schema, as a request that can be sent. */
export function graphqlOperations(openApi: OpenApi): readonly GraphqlOperation[] {
  const schema = committedSchema();
  const bodies = new OpenApiBodies(openApi);
  const described = Object.values(openApi.paths).flatMap(
    (methods) => Object.values(methods) as unknown as Described[],
  );
  return described.flatMap((one) => {
    const offer = OFFERS[one.operationId]!;
    if (offer.kind === 'restOnly') return [];
    const isQuery = offer.kind !== 'mutation';
    const root = isQuery ? schema.getQueryType() : schema.getMutationType();
    const field = root!.getFields()[offer.field];
    if (field === undefined) throw new Error(`${offer.field} is not in the schema`);
    const body = one.requestBody?.content['application/json']?.schema;
    const rightInput = body && bodies.rightBody(body);
    return [
      {
        operationId: one.operationId,
        field: offer.field,
        scopes: one['x-scopes'] ?? [],
        namesSomething: field.args.some(({ type }) => String(type) === 'ID!'),
        isQuery,
        document: (ids: (name: string) => string) => documentOf(field, isQuery, ids),
        rightInput,
        wrongInput: body && { ...rightInput, ...wrongValues(bodies.resolved(body)) },
      },
    ];
  });
}

function wrongValues({ properties = {} }: Schema): object {
  const checked = Object.entries(properties).filter(
    ([, { type, pattern, minLength = 0 }]) => type === 'string' && (pattern || minLength > 0),
  );
  return Object.fromEntries(checked.map(([name]) => [name, '']));
}

function documentOf(
  field: GraphQLField<unknown, unknown>,
  isQuery: boolean,
  ids: (name: string) => string,
): string {
  const input = field.args.find(({ name }) => name === 'input');
  const variables = input ? `($input: ${String(input.type)})` : '';
  const given = field.args.flatMap(({ name, type }) => {
    if (name === 'input') return ['input: $input'];
    if (name === 'first') return ['first: 5'];
    if (name === 'idempotencyKey') return ['idempotencyKey: "key-1"'];
    if (name === 'with') return [`with: ${JSON.stringify(ids('sessionId'))}`];
    if (String(type) === 'ID!') return [`${name}: ${JSON.stringify(ids(name))}`];
    return type instanceof GraphQLNonNull ? [`${name}: "sample"`] : [];
  });
  const args = given.length === 0 ? '' : `(${given.join(', ')})`;
  const kind = isQuery ? 'query' : 'mutation';
  return `${kind} ${variables} { ${field.name}${args} ${selectionOf(field.type)} }`;
}

/** What can be selected without further arguments, as deep as the limits allow for a list. */
function selectionOf(type: GraphQLOutputType, depth = 3): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  if (isUnionType(named)) {
    const parts = named.getTypes().map((one) => `... on ${one.name} ${selectionOf(one, 1)}`);
    return `{ __typename ${parts.join(' ')} }`;
  }
  if (!isObjectType(named) || depth === 0) return '{ __typename }';
  const fields = Object.values(named.getFields()).filter(
    (field) =>
      !field.args.some((argument) => argument.type instanceof GraphQLNonNull) &&
      !(named.name === 'Session' && field.args.length > 0) &&
      (isLeafType(getNamedType(field.type)) || /^(nodes|edges|node|pageInfo)$/.test(field.name)),
  );
  const selected = fields.map((field) => `${field.name} ${selectionOf(field.type, depth - 1)}`);
  return `{ ${['__typename', ...selected].join(' ')} }`;
}
