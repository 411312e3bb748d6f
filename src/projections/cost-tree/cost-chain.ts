import { type Documents, sessionDocumentId } from '../projection.js';
import type { Part } from './call-report.js';
import {
  type CellKind,
  CostNode,
  type EdgePath,
  cellKey,
  joinPaths,
  partsOfKey,
} from './cost-node.js';

export const COST_NODES = 'nodes';

/** A node and all above it, the node first. */
export type Chain = readonly CostNode[];

/** A session of which only a child or a call has been seen gets an empty node. */
export function nodeAt(documents: Documents, tenantId: string, sessionId: string): CostNode {
  const id = sessionDocumentId(tenantId, sessionId);
  const found = documents.get(COST_NODES, id) as CostNode | undefined;
  return found ?? new CostNode(tenantId, sessionId);
}

/** @throws whatever `documents` throws for a node that is not in memory. */
export function chainAbove(documents: Documents, tenantId: string, sessionId: string): Chain {
  const chain = [nodeAt(documents, tenantId, sessionId)];
  for (let above = chain[0]!.parentNode; above !== undefined; above = chain.at(-1)!.parentNode) {
    chain.push(documents.get(COST_NODES, above) as CostNode);
  }
  return chain;
}

/** Adds a request to the session that owns it and to every session above. */
export function changeAlong(
  documents: Documents,
  chain: Chain,
  kind: CellKind,
  parts: readonly Part[],
  sign: 1n | -1n,
): void {
  let path: EdgePath = '';
  let key = cellKey(path, kind);
  for (const node of chain) {
    node.cells.add(key, parts, sign);
    save(documents, node);
    if (node.edge === undefined) continue;
    const longer = joinPaths(path, node.edge);
    if (longer === path) continue;
    path = longer;
    key = cellKey(path, kind);
  }
}

/**
 * Makes `node` a child of the first of `above`: all that has been counted below `node` moves up,
 * once. A set of parents that leads round in a circle (only a foreign log can hold one) is cut
 * above its smallest id, so that the tree does not depend on which part of it was seen first.
 */
export function linkNode(documents: Documents, node: CostNode, above: Chain): void {
  const round = above.findIndex(({ sessionId }) => sessionId === node.sessionId);
  if (round < 0) return link(documents, node, above);
  const circle = [node, ...above.slice(0, round)];
  const cut = circle.reduce((one, other) => (other.sessionId < one.sessionId ? other : one));
  if (cut === node) return save(documents, node);
  const at = circle.indexOf(cut);
  moveAbove(documents, cut, [...circle.slice(at + 1), node], -1n);
  cut.parentNode = undefined;
  save(documents, cut);
  link(documents, node, circle.slice(1, at + 1));
}

function link(documents: Documents, node: CostNode, above: Chain): void {
  node.parentNode = above[0]!.id;
  save(documents, node);
  save(documents, above[0]!);
  moveAbove(documents, node, above, 1n);
}

function moveAbove(documents: Documents, node: CostNode, above: Chain, sign: 1n | -1n): void {
  if (node.cells.size === 0) return;
  const cells = node.cells.all().map(({ key, parts }) => ({ ...partsOfKey(key), parts }));
  let way: EdgePath = node.edge!;
  for (const ancestor of above) {
    for (const { path, kind, parts } of cells) {
      ancestor.cells.add(cellKey(joinPaths(way, path), kind), parts, sign);
    }
    save(documents, ancestor);
    if (ancestor.edge !== undefined) way = joinPaths(way, ancestor.edge);
  }
}

function save(documents: Documents, node: CostNode): void {
  documents.set(COST_NODES, node.id, node);
}
