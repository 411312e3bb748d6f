import type { JsonSchemaTypes } from './json-schema-types.js';
import { type Field, orError } from './operation-fields.js';
import type { RestOperation } from './rest-operations.js';

export type Fields = ReadonlyMap<RestOperation, Field>;

/** Entries of lists that name a session. */
const OF_A_SESSION = [
  'AuditEntry',
  'ChildCost',
  'FoundCall',
  'OpenCallEntry',
  'Reconciliation',
  'TenantEvent',
  'Work',
];

/** Fields that lead from one type to another; REST has them as addresses. */
export function linksOf(
  type: string,
  fields: Fields,
  types: JsonSchemaTypes,
): Readonly<Record<string, Field>> {
  if (OF_A_SESSION.includes(type)) return { session: summaryLink(types, sessionIdIn) };
  const parentSession = summaryLink(types, parentIdIn);
  if (type === 'SessionSummary') return { parentSession };
  return type === 'Session' ? { ...belowSession(fields), parentSession } : {};
}

interface Source {
  readonly sessionId: string;
  readonly parentId?: string;
  readonly parent?: { readonly sessionId: string };
}

const sessionIdIn = ({ sessionId }: Source): string | undefined => sessionId;
const parentIdIn = ({ parentId, parent }: Source): string | undefined =>
  parentId ?? parent?.sessionId;

/** All sessions that one request leads to are read together. */
function summaryLink(types: JsonSchemaTypes, idIn: (source: Source) => string | undefined): Field {
  return {
    description: 'As lists show it; null while the read model has not seen it.',
    type: types.object('SessionSummaryView'),
    resolve: (source, _, asking) => {
      const sessionId = idIn(source as Source);
      return sessionId && orError('session', asking.sessions.load(sessionId));
    },
  };
}

const READ_BELOW_SESSION = /^\/v1\/sessions\/\{sessionId\}(\/\w+)+$/;

/** What REST has below a session is also a field of the session. */
function belowSession(fields: Fields): Record<string, Field> {
  const below = [...fields].filter(
    ([{ path, body, offer }]) =>
      READ_BELOW_SESSION.test(path) && body === undefined && offer.kind !== 'mutation',
  );
  const children = [...fields].filter(([{ id }]) => id === 'sessions.list');
  return Object.fromEntries([
    ...below.map(([{ offer }, field]) => [linkName(offer.field), ofSession(field, 'sessionId')]),
    ...children.map(([, field]) => ['children', ofSession(field, 'parentId')]),
  ]) as Record<string, Field>;
}

/** `sessionEvents` of a session are its `events`. */
function linkName(field: string): string {
  const bare = field.replace(/^session(?=[A-Z])/, '');
  return bare.charAt(0).toLowerCase() + bare.slice(1);
}

function ofSession(field: Field, argument: 'sessionId' | 'parentId'): Field {
  const { [argument]: _, ...args } = field.args ?? {};
  return {
    ...field,
    args,
    resolve: (source, given, asking, info) => {
      const { sessionId } = source as { readonly sessionId: string };
      return field.resolve?.(source, { ...given, [argument]: sessionId }, asking, info);
    },
  };
}
