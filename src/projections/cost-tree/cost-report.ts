import type { ParentEdge } from '../../domain/events/session-events.js';
import { type TimeRange, isInRange } from '../cost-series/time-range.js';
import type { ProjectionReader } from '../read-models.js';
import { Cells, openParts } from './cells.js';
import {
  type CostGroup,
  type EntrySplit,
  Groups,
  entryKey,
  headOfEntry,
  keptGroups,
} from './cost-groups.js';
import type { Split } from './cost-groups.js';
import type { CostNodeDocument } from './cost-node.js';
import { type Figures, type TreeFigures, treeFigures } from './figures.js';
import type { Moment } from './moment.js';
import { type ScannedSession, entriesOf, sessionsBelow } from './tree-scan.js';

export interface ReportQuestion {
  readonly edges: readonly ParentEdge[];
  readonly by?: Split;
  readonly label?: string;
  readonly moment?: Moment;
  readonly range: TimeRange;
}

export interface ChildCost {
  readonly sessionId: string;
  readonly edge: ParentEdge;
  readonly own: Figures;
  readonly inclusive: Figures;
}

export interface CostReport extends TreeFigures {
  readonly groups?: readonly CostGroup[];
  /** Direct children, the earliest first. */
  readonly children: readonly ChildCost[];
  /** There are more children than are shown. */
  readonly childrenCut: boolean;
}

/**
 * Adds a tree up from the ledger: single calls at any moment, split by anything that they say.
 * @throws Rejection (limit_exceeded) for a tree that is too large for that.
 */
export async function reportFromEntries(
  reader: ProjectionReader,
  root: { readonly id: string; readonly node: CostNodeDocument },
  question: ReportQuestion,
  childrenMax: number,
): Promise<CostReport> {
  const { moment, range, by } = question;
  const sessions = await sessionsBelow(reader, root, question);
  const tree = new Cells();
  const groups = new Groups();
  const branches = new Map<CostNodeDocument, Cells>();
  const split = entrySplit(question);
  for await (const { entry, session } of entriesOf(reader, sessions, moment)) {
    if (!isInRange(range, entry.credit.startedAt)) continue;
    const parts = openParts(entry.parts);
    const sign = entry.change === 'added' ? 1n : -1n;
    const key = entryKey(session.path, entry);
    tree.add(key, parts, sign);
    if (split !== undefined) groups.add(headOfEntry(split, entry), key, parts, sign);
    addToBranch(branches, session, entryKey(session.branch?.path ?? '', entry), parts, sign);
  }
  const cells = tree.close();
  const direct = sessions.filter(({ branch, node }) => branch?.node === node);
  return {
    ...treeFigures({ cells }),
    groups: groupsOf(by, sessions, groups, cells),
    children: direct.slice(0, childrenMax).map(({ node }) => childCost(node, branches.get(node))),
    childrenCut: direct.length > childrenMax,
  };
}

function entrySplit({ by, label, range }: ReportQuestion): EntrySplit | undefined {
  if (by === 'run' || by === 'user' || by === 'label' || by === 'day') return { by, label, range };
  return undefined;
}

function addToBranch(
  branches: Map<CostNodeDocument, Cells>,
  { branch }: ScannedSession,
  key: string,
  parts: ReturnType<typeof openParts>,
  sign: 1n | -1n,
): void {
  if (branch === undefined) return;
  let cells = branches.get(branch.node);
  if (cells === undefined) branches.set(branch.node, (cells = new Cells()));
  cells.add(key, parts, sign);
}

function groupsOf(
  by: Split | undefined,
  sessions: readonly ScannedSession[],
  groups: Groups,
  cells: ReturnType<Cells['close']>,
): readonly CostGroup[] | undefined {
  switch (by) {
    case undefined:
      return undefined;
    case 'model':
    case 'purpose':
    case 'kind':
      return keptGroups(cells, by);
    case 'run':
      return inTreeOrder(groups.inOrder(), sessions);
    case 'day':
      return groups.byDay();
    case 'user':
    case 'label':
      return groups.mostCallsFirst();
  }
}

/** Runs in the order in which they were made, session by session, the root's first. */
function inTreeOrder(
  groups: readonly CostGroup[],
  sessions: readonly ScannedSession[],
): readonly CostGroup[] {
  const places = new Map(sessions.map(({ node }, index) => [node.sessionId, index]));
  const place = ({ sessionId }: CostGroup): number => places.get(String(sessionId)) ?? 0;
  return groups.toSorted((one, other) => place(one) - place(other));
}

function childCost({ sessionId, edge }: CostNodeDocument, cells: Cells | undefined): ChildCost {
  const { own, inclusive } = treeFigures({ cells: cells?.close() ?? {} });
  return { sessionId, edge: edge!, own, inclusive };
}
