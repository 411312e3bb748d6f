import {
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLFieldConfig,
  GraphQLFloat,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
} from 'graphql';
import type { Asking } from './asking.js';
import { type Connection, connectionOf, sliceOf } from './connections.js';
import type { Schema } from './rest-operations.js';
import { JsonScalar, SafeIntScalar, TimeScalar } from './scalars.js';

const INT_MAX = 2 ** 31 - 1;

/**
 * The GraphQL types of what the API document describes: `…View` classes become object types, `…Body`
 * classes input types, each made once. What the document leaves open is JSON.
 */
export class JsonSchemaTypes {
  private readonly outputs = new Map<string, GraphQLObjectType>();
  private readonly inputs = new Map<string, GraphQLInputObjectType>();
  private readonly enums = new Map<string, GraphQLEnumType>();
  private readonly connections = new Map<GraphQLObjectType, Connection>();

  constructor(
    private readonly schemas: Readonly<Record<string, Schema>>,
    /** Further fields of an object type. */
    private readonly linksOf: (
      type: string,
    ) => Readonly<Record<string, GraphQLFieldConfig<unknown, Asking>>>,
  ) {}

  output(schema: Schema, owner: string): GraphQLOutputType {
    const view = this.viewOf(schema);
    if (view !== undefined) return this.object(view);
    if (isList(schema)) {
      return new GraphQLList(new GraphQLNonNull(this.output(schema.items ?? {}, owner)));
    }
    if (schema.properties !== undefined) return this.objectOf(owner, schema);
    return this.leaf(schema, owner);
  }

  input(schema: Schema, owner: string): GraphQLInputType {
    const named = nameIn(schema);
    if (named !== undefined) return this.inputOf(inputName(named), this.schemas[named]!);
    if (isList(schema)) {
      return new GraphQLList(new GraphQLNonNull(this.input(schema.items ?? {}, owner)));
    }
    if (schema.properties !== undefined) return this.inputOf(`${owner}Input`, schema);
    return this.leaf(schema, owner);
  }

  /** The class that a schema stands for; undefined where it is not one. */
  viewOf(schema: Schema | undefined): string | undefined {
    return schema && nameIn(schema);
  }

  schemaOf(view: string): Schema {
    return this.schemas[view]!;
  }

  object(view: string): GraphQLObjectType {
    return this.objectOf(typeName(view), this.schemas[view]!);
  }

  /** What the entries of a list are, when they are objects with fields. */
  nodeOf(schema: Schema | undefined, owner: string): GraphQLObjectType | undefined {
    if (schema === undefined || !isList(schema)) return undefined;
    const type = this.output(schema.items ?? {}, owner);
    return type instanceof GraphQLObjectType ? type : undefined;
  }

  private objectOf(name: string, schema: Schema): GraphQLObjectType {
    let type = this.outputs.get(name);
    if (type === undefined) {
      type = new GraphQLObjectType({
        name,
        description: schema.description,
        fields: () => ({ ...this.fieldsOf(name, schema), ...this.linksOf(name) }),
      });
      this.outputs.set(name, type);
    }
    return type;
  }

  /** @param without properties that are no fields of their own. */
  fieldsOf(
    owner: string,
    { properties = {}, required = [] }: Schema,
    without: readonly string[] = [],
  ): Record<string, GraphQLFieldConfig<unknown, Asking>> {
    const shown = Object.entries(properties).filter(([name]) => !without.includes(name));
    return Object.fromEntries(
      shown.map(([name, schema]) => {
        const field = this.fieldOf(`${owner}${capital(name)}`, name, schema);
        const isSure = required.includes(name) && !isNullable(schema);
        const type = isSure ? new GraphQLNonNull(field.type) : field.type;
        return [name, { description: schema.description, ...field, type }];
      }),
    );
  }

  private fieldOf(
    owner: string,
    name: string,
    schema: Schema,
  ): Pick<GraphQLFieldConfig<unknown, Asking>, 'args' | 'resolve'> & { type: GraphQLOutputType } {
    const node = this.nodeOf(schema, owner);
    if (node === undefined) return { type: this.output(schema, owner) };
    const connection = this.connectionOf(node);
    return {
      type: connection.type,
      args: connection.args,
      resolve: (source, page) => {
        const entries = (source as Readonly<Record<string, readonly object[] | undefined>>)[name];
        return entries && sliceOf(entries, page);
      },
    };
  }

  private connectionOf(node: GraphQLObjectType): Connection {
    let connection = this.connections.get(node);
    if (connection === undefined) {
      connection = connectionOf(node, `${node.name}Connection`);
      this.connections.set(node, connection);
    }
    return connection;
  }

  private inputOf(name: string, schema: Schema): GraphQLInputObjectType {
    let type = this.inputs.get(name);
    if (type === undefined) {
      const { properties = {}, required = [] } = schema;
      type = new GraphQLInputObjectType({
        name,
        description: schema.description,
        fields: () =>
          Object.fromEntries(
            Object.entries(properties).map(([field, of]) => {
              const bare = this.input(of, `${name.replace(/Input$/, '')}${capital(field)}`);
              const wanted = required.includes(field) ? new GraphQLNonNull(bare) : bare;
              return [field, { description: of.description, type: wanted }];
            }),
          ),
      });
      this.inputs.set(name, type);
    }
    return type;
  }

  private leaf(schema: Schema, owner: string) {
    // In an address a flag is a text.
    if (schema.enum?.every((value) => value === 'true' || value === 'false')) return GraphQLBoolean;
    if (schema.enum !== undefined) return this.enumOf(schema.enum, owner);
    const [type] = [schema.type ?? 'object'].flat();
    if (type === 'boolean') return GraphQLBoolean;
    if (type === 'string') return schema.format === 'date-time' ? TimeScalar : GraphQLString;
    if (type === 'integer')
      return (schema.maximum ?? Infinity) <= INT_MAX ? GraphQLInt : SafeIntScalar;
    if (type === 'number') return GraphQLFloat;
    return JsonScalar;
  }

  /** Equal choices are one type, named after the first place that offers them; `Edge` is Relay's. */
  private enumOf(choices: readonly string[], owner: string): GraphQLEnumType {
    const key = JSON.stringify(choices);
    let type = this.enums.get(key);
    if (type === undefined) {
      const values = choices.map((value) => [enumName(value), { value }] as const);
      const name = owner.replace(/Edge$/, 'EdgeKind');
      type = new GraphQLEnumType({ name, values: Object.fromEntries(values) });
      this.enums.set(key, type);
    }
    return type;
  }
}

export function typeName(view: string): string {
  return view.replace(/View$/, '');
}

export function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function inputName(body: string): string {
  return `${body.replace(/Body$/, '')}Input`;
}

function nameIn(schema: Schema): string | undefined {
  const { $ref } = schema.allOf?.length === 1 ? schema.allOf[0]! : schema;
  return $ref?.split('/').at(-1);
}

function isList(schema: Schema): boolean {
  return schema.type === 'array';
}

function isNullable({ type }: Schema): boolean {
  return Array.isArray(type) && type.includes('null');
}

/** Some values of REST are no names: `openai-chat`, `5m`. */
function enumName(value: string): string {
  return value.replaceAll(/\W/g, '_').replace(/^(?=\d)/, '_');
}
