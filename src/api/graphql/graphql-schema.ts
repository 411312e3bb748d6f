import type { OpenAPIObject } from '@nestjs/swagger';
import { GraphQLObjectType, GraphQLSchema } from 'graphql';
import { JsonSchemaTypes } from './json-schema-types.js';
import { type Field, fieldOf } from './operation-fields.js';
import { type RestOperation, type Schema, restOperations } from './rest-operations.js';

/** The schema of everything that the API document describes. */
export function graphqlSchema(document: OpenAPIObject): GraphQLSchema {
  const operations = restOperations(document);
  const schemas = (document.components?.schemas ?? {}) as Readonly<Record<string, Schema>>;
  const types: JsonSchemaTypes = new JsonSchemaTypes(schemas, (type) =>
    type === 'Session' ? sessionLinks(fields) : {},
  );
  const fields = new Map<RestOperation, Field>(
    operations
      .toSorted((one, other) => (one.offer.field < other.offer.field ? -1 : 1))
      .map((operation) => [operation, fieldOf(operation, types)]),
  );
  return new GraphQLSchema({
    query: rootOf('Query', fields, ({ offer }) => offer.kind !== 'mutation'),
    mutation: rootOf('Mutation', fields, ({ offer }) => offer.kind === 'mutation'),
  });
}

type Fields = ReadonlyMap<RestOperation, Field>;

function rootOf(
  name: string,
  fields: Fields,
  isWanted: (operation: RestOperation) => boolean,
): GraphQLObjectType {
  const wanted = [...fields].filter(([operation]) => isWanted(operation));
  return new GraphQLObjectType({
    name,
    fields: Object.fromEntries(wanted.map(([{ offer }, field]) => [offer.field, field])),
  });
}

const READ_BELOW_SESSION = /^\/v1\/sessions\/\{sessionId\}(\/\w+)+$/;

/** What REST has below a session is also a field of the session. */
function sessionLinks(fields: Fields): Record<string, Field> {
  const below = [...fields].filter(
    ([{ path, body, offer }]) =>
      READ_BELOW_SESSION.test(path) && body === undefined && offer.kind !== 'mutation',
  );
  return Object.fromEntries(
    below.map(([{ offer }, field]) => [linkName(offer.field), ofSession(field)]),
  );
}

/** `sessionEvents` of a session are its `events`. */
function linkName(field: string): string {
  const bare = field.replace(/^session(?=[A-Z])/, '');
  return bare.charAt(0).toLowerCase() + bare.slice(1);
}

function ofSession(field: Field): Field {
  const { sessionId: _, ...args } = field.args ?? {};
  return {
    ...field,
    args,
    resolve: (source, given, asking, info) => {
      const { sessionId } = source as { readonly sessionId: string };
      return field.resolve?.(source, { ...given, sessionId }, asking, info);
    },
  };
}
