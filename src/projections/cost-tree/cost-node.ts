import type { ParentEdge } from '../../domain/events/session-events.js';
import type { ReadModelDocument } from '../../storage/read-model-store.js';
import { sessionDocumentId } from '../projection.js';
import { Cells, type StoredCells } from './cells.js';

/** Kinds of edges on the way down to a session, sorted, joined by `+`; '' is the session itself. */
export type EdgePath = string;

/** Calls of one purpose, provider and model: JSON text of these three. */
export type CellKind = string;

/** A node as it is stored. Figures are derived from the cells when they are read. */
export interface CostNodeDocument {
  readonly tenantId: string;
  readonly sessionId: string;
  /** False: only its children have been seen so far. */
  readonly known: boolean;
  readonly parentId?: string;
  readonly edge?: ParentEdge;
  /** Id of the parent's document, while the sums of this node are part of the parent's. */
  readonly parentNode?: string;
  readonly startedAt?: string;
  /** The event that began the session; absent while it is not known. */
  readonly begun?: { readonly position: string; readonly recordedAt: string };
  /** `<path>|<kind>`: the parts of that figure, as decimal strings. */
  readonly cells: StoredCells;
}

/** The sums of one session and, apart from them, of all sessions below it, while being changed. */
export class CostNode {
  readonly id: string;
  known = false;
  parentId: string | undefined;
  edge: ParentEdge | undefined;
  /** Id of the parent's document, while this node's sums are part of the parent's. */
  parentNode: string | undefined;
  startedAt: string | undefined;
  begun: CostNodeDocument['begun'];
  cells = new Cells();

  constructor(
    readonly tenantId: string,
    readonly sessionId: string,
  ) {
    this.id = sessionDocumentId(tenantId, sessionId);
  }

  static open(stored: ReadModelDocument): CostNode {
    const document = stored as unknown as CostNodeDocument;
    const node = new CostNode(document.tenantId, document.sessionId);
    node.known = document.known;
    node.parentId = document.parentId;
    node.edge = document.edge;
    node.parentNode = document.parentNode;
    node.startedAt = document.startedAt;
    node.begun = document.begun;
    node.cells = Cells.open(document.cells);
    return node;
  }

  close(): CostNodeDocument {
    const { tenantId, sessionId, known, parentId, edge, parentNode, startedAt, begun } = this;
    const cells = this.cells.close();
    return { tenantId, sessionId, known, parentId, edge, parentNode, startedAt, begun, cells };
  }
}

const KINDS_KEPT_MAX = 1_000;
const keys = new Map<CellKind, Map<string, string>>();

/**
 * Key of a cell: where it stands (a path of edges, a minute of the hour) and the kind of its calls. The
 * same text each time, because every call asks for one at each node above it.
 */
export function cellKey(place: EdgePath, kind: CellKind): string {
  let ofKind = keys.get(kind);
  if (ofKind === undefined) {
    if (keys.size >= KINDS_KEPT_MAX) keys.clear();
    keys.set(kind, (ofKind = new Map()));
  }
  let key = ofKind.get(place);
  if (key === undefined) ofKind.set(place, (key = `${place}|${kind}`));
  return key;
}

/** A cell's key taken apart. */
export function partsOfKey(key: string): { readonly path: EdgePath; readonly kind: CellKind } {
  const end = key.indexOf('|');
  return { path: key.slice(0, end), kind: key.slice(end + 1) };
}

export function edgesOf(path: EdgePath): readonly ParentEdge[] {
  return path === '' ? [] : (path.split('+') as ParentEdge[]);
}

const joined = new Map<string, EdgePath>();

/** The kinds of both paths. There are eight paths, so the memory stays small. */
export function joinPaths(one: EdgePath, other: EdgePath): EdgePath {
  if (one === other || other === '') return one;
  if (one === '') return other;
  const key = `${one}|${other}`;
  let path = joined.get(key);
  if (path === undefined) {
    path = [...new Set([...edgesOf(one), ...edgesOf(other)])].sort().join('+');
    joined.set(key, path);
  }
  return path;
}
