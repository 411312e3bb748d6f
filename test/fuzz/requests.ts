import fc from 'fast-check';
import type { OpenApi, Schema } from '../support/openapi-bodies.js';
import type { Sending } from '../support/http-client.js';
import type { KnownSession } from './known-values.js';
import { hostileValue, SchemaValues } from './schema-values.js';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
}

type Contents = Readonly<Record<string, { readonly schema?: Schema }>>;

/** An operation of the document, as far as requests are made of it and answers are held to it. */
export interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Contents };
  readonly responses: Readonly<Record<string, { readonly content?: Contents }>>;
}

export interface FuzzRequest {
  readonly operation: Operation;
  readonly session: KnownSession;
  readonly method: string;
  readonly path: string;
  readonly sending: Sending;
}

/** Of a hundred values: none, a few, or half of them are no value of the schema. */
const WILD = [0, 0, 3, 10, 50];
const MEDIA_TYPES = ['text/plain', 'application/xml', 'application/json; charset=utf-16', ''];

export function operationsOf(document: OpenApi): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...(operation as unknown as Operation),
      method: method.toUpperCase(),
      path,
    })),
  );
}

/** Requests of an operation: some right, some nearly, some wild. */
export function requestsOf(
  operation: Operation,
  document: OpenApi,
  session: KnownSession,
): fc.Arbitrary<FuzzRequest> {
  return fc.constantFrom(...WILD).chain((wild) => {
    const values = new SchemaValues(document.components.schemas, session, wild);
    const parts = fc.record({
      path: parameters(operation, 'path', values),
      query: parameters(operation, 'query', values),
      headers: parameters(operation, 'header', values),
      body: bodyOf(operation, values),
      odd: fc.oneof(
        { weight: 99 - wild, arbitrary: fc.constant<Sending>({}) },
        { weight: 1, arbitrary: odd },
      ),
    });
    return parts.map(({ path, query, headers, body, odd: changed }) => ({
      operation,
      session,
      method: operation.method,
      path: filled(operation.path, path) + textOfQuery(query),
      sending: {
        ...body,
        ...changed,
        headers: { ...asHeaders(headers), ...body.headers, ...changed.headers },
      },
    }));
  });
}

type Values = Readonly<Record<string, unknown>>;

function parameters(
  { parameters: all = [] }: Operation,
  place: Parameter['in'],
  values: SchemaValues,
): fc.Arbitrary<Values> {
  const wanted = all.filter((each) => each.in === place);
  const record = wanted.map(({ name, schema }) => [name, values.of(name, schema)]);
  const requiredKeys = wanted.filter(({ required }) => required).map(({ name }) => name);
  const given = fc.record(Object.fromEntries(record) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys,
  });
  // A write with a condition seldom meets it: most go without.
  if (place !== 'header') return given;
  return fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: given });
}

function bodyOf({ requestBody }: Operation, values: SchemaValues): fc.Arbitrary<Sending> {
  if (requestBody === undefined) return fc.constant({});
  const json = requestBody.content['application/json']?.schema;
  if (json !== undefined) return values.of('body', json).map((body) => ({ body }));
  const bytes = fc.uint8Array({ maxLength: 200 });
  return bytes.map((raw) => ({
    raw: Buffer.from(raw),
    headers: { 'Content-Type': Object.keys(requestBody.content)[0] },
  }));
}

/** What no client library would send. */
const odd: fc.Arbitrary<Sending> = fc.oneof(
  fc.constant({ raw: '' }),
  fc.string({ unit: 'binary' }).map((raw) => ({ raw })),
  fc.uint8Array({ maxLength: 64 }).map((raw) => ({ raw: Buffer.from(raw) })),
  fc.constant({ raw: `${'['.repeat(5_000)}${']'.repeat(5_000)}` }),
  fc.constant({ raw: '{"a":1,"a":2}' }),
  hostileValue.map((body) => ({ body })),
  fc.constantFrom(...MEDIA_TYPES).map((type) => ({ headers: { 'Content-Type': type } })),
  fc.constantFrom('application/x-ndjson', 'text/csv', '*/*;q=x', 'image/png').map((Accept) => ({
    headers: { Accept },
  })),
  fc.constant({ key: null }),
);

function filled(path: string, values: Values): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => asUrlPart(values[name]));
}

function textOfQuery(query: Values): string {
  const parts = Object.entries(query).map(([name, value]) => `${name}=${asUrlPart(value)}`);
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

function asUrlPart(value: unknown): string {
  return encodeURIComponent(Buffer.from(asText(value)).toString());
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** A header takes visible Latin characters only. */
function asHeaders(headers: Values): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const text = asText(value)
        .replaceAll(/[^\x20-\x7e]/g, '?')
        .slice(0, 2_000);
      return [name, name === 'If-Match' && /^\d+$/.test(text) ? `"${text}"` : text];
    }),
  );
}
