import type { INestApplication } from '@nestjs/common';
import { ApiProperty, DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { takeDocumentedFields } from '../commands/dto/documented-fields.js';
import { operationId } from './operation-id.js';
import { PROBLEMS } from './problem.js';
import { problemAnswer } from './rest/answers.js';

type OperationObject = NonNullable<OpenAPIObject['paths'][string]['get']>;

const PROBLEM_SCHEMA = {
  type: 'object',
  description: 'RFC 9457 problem document; further members depend on `code`.',
  required: ['type', 'title', 'status', 'detail', 'code', 'retryable'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string' },
    retryable: { type: 'boolean' },
  },
};

/** The OpenAPI 3.1 document of the API, as it is served and committed. */
export function apiDocument(app: INestApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle('Holdfast')
    .setDescription(
      'The session backend for AI agents: record, restore, fork, compact, replay, account.',
    )
    .setVersion('1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'The API key.' }, 'key')
    .addSecurityRequirements('key')
    .setOpenAPIVersion('3.1.0')
    .build();
  for (const { schema, target, name } of takeDocumentedFields()) {
    ApiProperty(schema as Parameters<typeof ApiProperty>[0])(target, name);
  }
  const document = SwaggerModule.createDocument(app, builder, {
    operationIdFactory: operationId,
  });
  complete(document);
  const schemas = { ...inOpenApi31(document.components?.schemas), Problem: PROBLEM_SCHEMA };
  const components = { ...document.components, schemas } as never;
  return withWholeNumbers({ ...document, components }) as OpenAPIObject;
}

/** Every number of this API is whole; money and what can be over 53 bits are texts. */
function withWholeNumbers(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withWholeNumbers);
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part).map(([name, value]) => [
    name,
    name === 'type' && value === 'number' ? 'integer' : withWholeNumbers(value),
  ]);
  return Object.fromEntries(entries) as unknown;
}

/** `nullable` is the word of OpenAPI 3.0, and the only one that the decorators know. */
function inOpenApi31(schemas: object = {}): object {
  const text = JSON.stringify(schemas, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('nullable' in value)) return value;
    const { nullable: _nullable, ...schema } = value as { nullable: boolean; type?: string };
    return schema.type === undefined
      ? { anyOf: [schema, { type: 'null' }] }
      : { ...schema, type: [schema.type, 'null'] };
  });
  return JSON.parse(text) as object;
}

/** Request Header Fields Too Large, the address of the request included. */
export const HEAD_TOO_LARGE = 431;

/** What holds for all operations and no decorator says. */
function complete({ paths }: OpenAPIObject): void {
  for (const [path, { get, post, put, delete: remove }] of Object.entries(paths)) {
    for (const operation of [get, post, put, remove].filter((each) => each !== undefined)) {
      operation.responses[HEAD_TOO_LARGE] = problemAnswer(['too_large']);
      if (operation !== get) refuseBodies(operation);
      declareNames(path, operation);
    }
  }
}

/** Whatever an operation reads, a body can be too large for it, or of a type that it does not read. */
function refuseBodies({ responses }: OperationObject): void {
  for (const code of ['too_large', 'unsupported_media_type'] as const) {
    responses[PROBLEMS[code].status] ??= problemAnswer([code]);
  }
}

/** A name in the path that a scope reads, and no method's parameter. */
function declareNames(path: string, operation: OperationObject): void {
  const declared = (operation.parameters ?? []).map((each) => ('name' in each ? each.name : ''));
  const missing = [...path.matchAll(/\{(\w+)\}/g)]
    .map(([, name]) => name!)
    .filter((name) => !declared.includes(name))
    .map((name) => ({ name, in: 'path' as const, required: true, schema: { type: 'string' } }));
  operation.parameters = [...missing, ...(operation.parameters ?? [])];
}
