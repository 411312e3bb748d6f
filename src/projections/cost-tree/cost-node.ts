import type { ParentEdge } from '../../domain/events/session-events.js';
import type { ReadModelDocument } from '../../storage/read-model-store.js';
import { sessionDocumentId } from '../projection.js';
import type { Part } from './call-report.js';

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
  /** `<path>|<kind>`: the parts of that figure, as decimal strings. */
  readonly cells: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/**
 * Sums by name, as two lists: calls of one kind have the same parts in the same order, so a name is
 * nearly always found where the other list has it.
 */
class Cell {
  private readonly names: string[] = [];
  private readonly amounts: bigint[] = [];

  add(parts: readonly Part[], sign: 1n | -1n): void {
    for (let index = 0; index < parts.length; index += 1) {
      const [name, amount] = parts[index]!;
      const change = sign === 1n ? amount : -amount;
      const at = this.names[index] === name ? index : this.names.indexOf(name);
      if (at >= 0) {
        this.amounts[at]! += change;
      } else {
        this.names.push(name);
        this.amounts.push(change);
      }
    }
  }

  get parts(): readonly Part[] {
    return this.names.map((name, index) => [name, this.amounts[index]!]);
  }

  /** undefined when nothing is left in it. */
  close(): Record<string, string> | undefined {
    let closed: Record<string, string> | undefined;
    for (let index = 0; index < this.names.length; index += 1) {
      const amount = this.amounts[index]!;
      if (amount !== 0n) (closed ??= {})[this.names[index]!] = amount.toString();
    }
    return closed;
  }
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
  readonly cells = new Map<string, Cell>();

  constructor(
    readonly tenantId: string,
    readonly sessionId: string,
  ) {
    this.id = sessionDocumentId(tenantId, sessionId);
  }

  add(key: string, parts: readonly Part[], sign: 1n | -1n): void {
    let cell = this.cells.get(key);
    if (cell === undefined) this.cells.set(key, (cell = new Cell()));
    cell.add(parts, sign);
  }

  static open(stored: ReadModelDocument): CostNode {
    const document = stored as unknown as CostNodeDocument;
    const node = new CostNode(document.tenantId, document.sessionId);
    node.known = document.known;
    node.parentId = document.parentId;
    node.edge = document.edge;
    node.parentNode = document.parentNode;
    node.startedAt = document.startedAt;
    for (const [key, parts] of Object.entries(document.cells)) {
      const amounts = Object.entries(parts).map(([name, text]): Part => [name, BigInt(text)]);
      node.add(key, amounts, 1n);
    }
    return node;
  }

  close(): CostNodeDocument {
    const { tenantId, sessionId, known, parentId, edge, parentNode, startedAt } = this;
    const cells: Record<string, Record<string, string>> = {};
    for (const [key, cell] of this.cells) {
      const parts = cell.close();
      if (parts !== undefined) cells[key] = parts;
    }
    return { tenantId, sessionId, known, parentId, edge, parentNode, startedAt, cells };
  }
}

export function cellKey(path: EdgePath, kind: CellKind): string {
  return `${path}|${kind}`;
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
