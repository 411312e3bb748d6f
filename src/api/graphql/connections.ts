import {
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
  GraphQLBoolean,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import type { Asking } from './asking.js';
import { PAGE_MAX } from '../rest/query-fields.js';
import { ProblemError } from '../problem.js';

export interface PageArguments {
  readonly first: number;
  readonly after?: string | null;
}

/** A list as Relay describes it, with `nodes` for those who need no cursor of each entry. */
export interface Connection {
  readonly type: GraphQLObjectType;
  readonly args: GraphQLFieldConfigArgumentMap;
}

export interface ConnectionPage {
  readonly nodes: readonly object[];
  readonly edges: readonly { readonly node: object; readonly cursor: string }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor?: string;
    readonly endCursor?: string;
  };
}

/** A place in a list: so many entries behind a cursor of REST, or behind the list's beginning. */
export interface Place {
  readonly behind?: string;
  readonly skip: number;
}

const PageInfo = new GraphQLObjectType({
  name: 'PageInfo',
  fields: {
    hasNextPage: { type: new GraphQLNonNull(GraphQLBoolean) },
    hasPreviousPage: {
      type: new GraphQLNonNull(GraphQLBoolean),
      description: 'Lists are read forwards: whether the page began behind a cursor.',
    },
    startCursor: { type: GraphQLString },
    endCursor: { type: GraphQLString },
  },
});

/** The two fields of a connection whose cost is multiplied by `first`. */
export const ENTRY_FIELDS = ['nodes', 'edges'];

export const PAGE_ARGUMENTS = {
  first: {
    type: new GraphQLNonNull(GraphQLInt),
    description: `So many entries, 1 to ${PAGE_MAX}.`,
  },
  after: { type: GraphQLString, description: 'A cursor: only what comes behind it.' },
} satisfies GraphQLFieldConfigArgumentMap;

const edgeTypes = new WeakMap<GraphQLObjectType, GraphQLObjectType>();

export function connectionOf(
  node: GraphQLObjectType,
  name: string,
  further: () => GraphQLFieldConfigMap<unknown, Asking> = () => ({}),
): Connection {
  const entry = new GraphQLNonNull(node);
  const type = new GraphQLObjectType({
    name,
    fields: () => ({
      nodes: { type: listOf(entry) },
      edges: { type: listOf(new GraphQLNonNull(edgeOf(node))) },
      pageInfo: { type: new GraphQLNonNull(PageInfo) },
      ...further(),
    }),
  });
  return { type, args: PAGE_ARGUMENTS };
}

function edgeOf(node: GraphQLObjectType): GraphQLObjectType {
  let type = edgeTypes.get(node);
  if (type === undefined) {
    type = new GraphQLObjectType({
      name: `${node.name}Edge`,
      fields: {
        node: { type: new GraphQLNonNull(node) },
        cursor: { type: new GraphQLNonNull(GraphQLString) },
      },
    });
    edgeTypes.set(node, type);
  }
  return type;
}

function listOf<Entry extends GraphQLNonNull<GraphQLObjectType>>(entry: Entry) {
  return new GraphQLNonNull(new GraphQLList(entry));
}

/** A page of a list that is there as a whole. */
export function sliceOf(
  entries: readonly object[],
  { first, after }: PageArguments,
): ConnectionPage {
  const place = placeOf(after);
  const shown = entries.slice(place.skip, place.skip + first);
  return pageOf(shown, place, { hasNextPage: entries.length > place.skip + first });
}

/** `end`: where REST goes on behind these entries, when it says so. */
export function pageOf(
  nodes: readonly object[],
  place: Place,
  { hasNextPage, end }: { readonly hasNextPage: boolean; readonly end?: string },
): ConnectionPage {
  const cursors = nodes.map((_, index) => cursorOf({ ...place, skip: place.skip + index + 1 }));
  const endCursor = end === undefined ? cursors.at(-1) : cursorOf({ behind: end, skip: 0 });
  if (endCursor !== undefined && nodes.length > 0) cursors[nodes.length - 1] = endCursor;
  return {
    nodes,
    edges: nodes.map((node, index) => ({ node, cursor: cursors[index]! })),
    pageInfo: {
      hasNextPage,
      hasPreviousPage: place.behind !== undefined || place.skip > 0,
      startCursor: cursors[0],
      endCursor,
    },
  };
}

function cursorOf({ behind, skip }: Place): string {
  return Buffer.from(JSON.stringify([behind ?? null, skip])).toString('base64url');
}

/** @throws ProblemError for what is no cursor of a connection. */
export function placeOf(cursor: string | null | undefined): Place {
  if (cursor === null || cursor === undefined) return { skip: 0 };
  const [behind, skip] = readCursor(cursor);
  const isPlace = behind === null || typeof behind === 'string';
  if (!isPlace || !Number.isSafeInteger(skip) || Number(skip) < 0) throw noCursor();
  return { behind: behind ?? undefined, skip: Number(skip) };
}

function readCursor(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(value) ? value : [];
  } catch {
    throw noCursor();
  }
}

function noCursor(): ProblemError {
  return new ProblemError('invalid_request', 'after must be a cursor of this list');
}
