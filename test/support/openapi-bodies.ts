/** Bodies for every operation of an OpenAPI document: a right one, and wrong ones by the dozen. */

export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  /** A list or an object. */
  readonly anyOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly example?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly required?: readonly string[];
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
}

export interface WrongBody {
  readonly why: string;
  readonly body: unknown;
  /** The field that the answer must name; absent where the fault lies deeper. */
  readonly field?: string;
}

/** Values where the schema alone does not say what is right. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  content: 'Hello.',
  steps: [{ type: 'startModelCall' }],
  blocks: [{ type: 'text', text: 'Hello.' }],
};

export class OpenApiBodies {
  constructor(private readonly document: OpenApi) {}

  /** [method, path with {names}, body schema or undefined] */
  operations(): readonly (readonly [string, string, Schema | undefined])[] {
    return Object.entries(this.document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { requestBody }]) => {
        const schema = requestBody?.content['application/json']?.schema;
        return [method.toUpperCase(), path, schema && this.resolved(schema)] as const;
      }),
    );
  }

  rightBody(schema: Schema): Record<string, unknown> {
    const { properties = {}, required = [] } = this.resolved(schema);
    return Object.fromEntries(
      required.map((name) => [name, SAMPLES[name] ?? this.rightValue(properties[name]!)]),
    );
  }

  wrongBodies(schema: Schema): readonly WrongBody[] {
    const { properties = {}, required = [] } = this.resolved(schema);
    const right = this.rightBody(schema);
    const missing = required.map((name) => {
      const { [name]: _left, ...rest } = right;
      return { why: `${name} is missing`, body: rest, field: name };
    });
    const wrong = Object.entries(properties).flatMap(([name, property]) =>
      this.wrongValues(property).map((value) => ({
        why: `${name} is ${JSON.stringify(value)?.slice(0, 40)}`,
        body: { ...right, [name]: value },
        field: isFreeJson(this.resolved(property)) ? undefined : name,
      })),
    );
    return [
      {
        why: 'it has an unknown field',
        body: { ...right, tenantId: 'another' },
        field: 'tenantId',
      },
      ...missing,
      ...wrong,
    ];
  }

  resolved(schema: Schema): Schema {
    const reference = schema.$ref ?? schema.allOf?.[0]?.$ref;
    if (reference === undefined) return schema;
    const found = this.document.components.schemas[reference.replace(/^.*\//, '')];
    if (found === undefined) throw new Error(`the document has no ${reference}`);
    return found;
  }

  private rightValue(given: Schema): unknown {
    const schema = this.resolved(given);
    if (schema.enum !== undefined) return schema.enum[0];
    if (schema.format === 'date-time') return '2026-03-02T09:00:00Z';
    switch (schema.type) {
      case 'integer':
        return schema.minimum ?? 1;
      case 'boolean':
        return true;
      case 'array':
        return [];
      case 'object':
        return this.rightBody(schema);
      default:
        return 'a'.repeat(Math.max(schema.minLength ?? 0, 1));
    }
  }

  private wrongValues(given: Schema): readonly unknown[] {
    const schema = this.resolved(given);
    if (schema.anyOf !== undefined) return [null, 42, true, 'one'];
    if (schema.oneOf !== undefined) return [null, 42, true, {}, [42], [{ type: 'system' }]];
    switch (schema.type) {
      case 'integer':
        return [null, 'one', 1.5, true, {}, ...numbersOutside(schema)];
      case 'boolean':
        return [null, 'yes', 1, {}];
      case 'array':
        return [null, 'one', 42, {}, [42], [null]];
      case 'object':
        return this.wrongObjects(schema);
      default:
        return [null, 42, true, {}, [], ...textsOutside(schema)];
    }
  }

  /** A field of free JSON takes everything but what no store should keep. */
  private wrongObjects(schema: Schema): readonly unknown[] {
    const forbidden = [JSON.parse('{"a":{"__proto__":1}}'), nested(70)];
    if (isFreeJson(schema)) return forbidden;
    const named = schema.properties === undefined ? [{ a: 42 }] : [{ unknownField: 1 }];
    return [null, 'one', 42, [], ...named];
  }
}

function isFreeJson({ type, properties, additionalProperties }: Schema): boolean {
  return type === 'object' && properties === undefined && additionalProperties === undefined;
}

function numbersOutside({ minimum, maximum }: Schema): readonly number[] {
  return [
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? [1e300] : [maximum + 1]),
  ];
}

function textsOutside(schema: Schema): readonly string[] {
  if (schema.enum !== undefined) return ['nonsense'];
  if (schema.format === 'date-time') return ['yesterday'];
  const { minLength = 0, maxLength, pattern } = schema;
  return [
    ...(minLength > 0 ? ['a'.repeat(minLength - 1)] : []),
    ...(maxLength === undefined ? [] : ['a'.repeat(maxLength + 1)]),
    ...(pattern === undefined ? [] : ['../etc', 'a b', 'a/b', '\u0000', '']),
  ];
}

export function nested(levels: number): unknown {
  return JSON.parse('{"a":'.repeat(levels) + '1' + '}'.repeat(levels));
}
