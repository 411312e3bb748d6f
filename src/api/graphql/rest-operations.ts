import type { OpenAPIObject } from '@nestjs/swagger';
import { OFFERS, type Offer } from './operation-names.js';

/** A JSON schema, as far as the API document uses it. */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly maximum?: number;
  readonly description?: string;
  readonly default?: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

/** One operation as the API document describes it, and what GraphQL calls it. */
export interface RestOperation {
  /** `sessions.start` */
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly offer: Exclude<Offer, { kind: 'restOnly' }>;
  readonly parameters: readonly Parameter[];
  readonly body?: Schema;
  /** Absent: it answers nothing but that it is done. */
  readonly answer?: Schema;
  readonly scopes: readonly string[];
  /** Codes of the problems that it can answer. */
  readonly problems: readonly string[];
}

interface Described {
  readonly operationId: string;
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<
    Record<string, { readonly content?: Content; description?: string }>
  >;
  readonly 'x-scopes'?: readonly string[];
}
type Content = Readonly<Record<string, { readonly schema: Schema }>>;

const JSON_TYPE = 'application/json';

/**
 * Every operation that GraphQL offers, in the order of the API document.
 * @throws Error for one without a name.
 */
export function restOperations(document: OpenAPIObject): readonly RestOperation[] {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods as Readonly<Record<string, Described>>)
      .filter(({ operationId, 'x-scopes': scopes }) => operationId && scopes !== undefined)
      .map((one) => ({ path, ...one })),
  );
  const nameless = described.map((one) => one.operationId).filter((id) => !(id in OFFERS));
  if (nameless.length === 0) return described.flatMap(operationOf);
  const place = 'give each a line in src/api/graphql/operation-names.ts';
  throw new Error(`operations without a GraphQL name: ${nameless.join(', ')}; ${place}`);
}

function operationOf(described: Described & { readonly path: string }): RestOperation[] {
  const { operationId: id, path, summary = '', parameters = [], requestBody } = described;
  const { responses } = described;
  const offer = OFFERS[id]!;
  if (offer.kind === 'restOnly') return [];
  const body = requestBody?.content[JSON_TYPE]?.schema;
  const scopes = described['x-scopes'] ?? [];
  const statuses = Object.keys(responses);
  const done = statuses.find((status) => status.startsWith('2'));
  const answer = responses[done ?? '']?.content?.[JSON_TYPE]?.schema;
  const problems = statuses
    .filter((status) => Number(status) >= 400)
    .flatMap((status) => responses[status]?.description?.split(', ') ?? []);
  return [{ id, path, summary, offer, parameters, body, answer, scopes, problems }];
}
