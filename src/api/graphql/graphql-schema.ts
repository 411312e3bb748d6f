import type { OpenAPIObject } from '@nestjs/swagger';
import { GraphQLObjectType, GraphQLSchema } from 'graphql';
import { JsonSchemaTypes } from './json-schema-types.js';
import { type Field, fieldOf } from './operation-fields.js';
import { type Fields, linksOf } from './links.js';
import { subscriptionFields } from './subscription-fields.js';
import { type RestOperation, type Schema, restOperations } from './rest-operations.js';

/** The schema of everything that the API document describes. */
export function graphqlSchema(document: OpenAPIObject): GraphQLSchema {
  const operations = restOperations(document);
  const schemas = (document.components?.schemas ?? {}) as Readonly<Record<string, Schema>>;
  const types: JsonSchemaTypes = new JsonSchemaTypes(schemas, (type) =>
    linksOf(type, fields, types),
  );
  const fields = new Map<RestOperation, Field>(
    operations
      .toSorted((one, other) => (one.offer.field < other.offer.field ? -1 : 1))
      .map((operation) => [operation, fieldOf(operation, types)]),
  );
  return new GraphQLSchema({
    query: rootOf('Query', fields, ({ offer }) => offer.kind !== 'mutation'),
    mutation: rootOf('Mutation', fields, ({ offer }) => offer.kind === 'mutation'),
    subscription: new GraphQLObjectType({
      name: 'Subscription',
      fields: subscriptionFields(types),
    }),
  });
}

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
