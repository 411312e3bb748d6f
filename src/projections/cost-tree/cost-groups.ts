import { type TimeRange, dayIn } from '../cost-series/time-range.js';
import { Cells, type StoredCells, openParts } from './cells.js';
import type { CostEntryDocument } from './cost-entry.js';
import { type EdgePath, cellKey, edgesOf, partsOfKey } from './cost-node.js';
import { type Figures, treeFigures } from './figures.js';
import { own } from '../../domain/own.js';

/** What a tree's cost can be split by. The first three are kept, the others added up when asked. */
export const SPLITS = ['model', 'purpose', 'kind', 'run', 'user', 'label', 'day'] as const;
export type Split = (typeof SPLITS)[number];

/** What the calls of a group have in common: `{user}`, `{provider, model}`, `{sessionId, runId, …}`. */
export type GroupHead = Readonly<Record<string, string | number | null>>;

export type CostGroup = GroupHead & {
  readonly own: Figures;
  readonly descendants: Figures;
  readonly inclusive: Figures;
};

export function isKeptSplit(by: Split | undefined): boolean {
  return by === undefined || by === 'model' || by === 'purpose' || by === 'kind';
}

/** Splits the sums of a tree by what its cells say of their calls. */
export function keptGroups(cells: StoredCells, by: 'model' | 'purpose' | 'kind'): CostGroup[] {
  const groups = new Groups();
  for (const [key, parts] of Object.entries(cells)) {
    const { path, kind } = partsOfKey(key);
    groups.add(headOfCell(by, path, kind), key, openParts(parts));
  }
  return by === 'kind' ? groups.byKind() : groups.mostCallsFirst();
}

function headOfCell(by: 'model' | 'purpose' | 'kind', path: EdgePath, kind: string): GroupHead {
  const [purpose, provider, model] = JSON.parse(kind) as [string, string | null, string | null];
  if (by === 'purpose') return { purpose };
  if (by === 'model') return { provider, model };
  return { kind: kindOfPath(path) };
}

const KINDS: readonly string[] = ['own', 'subagent', 'continuation', 'fork'];

/** The kind that it takes to get there: a fork's subagent is there because of the fork. */
function kindOfPath(path: EdgePath): string {
  const edges: readonly string[] = edgesOf(path);
  return KINDS.findLast((kind) => edges.includes(kind)) ?? 'own';
}

export interface EntrySplit {
  readonly by: 'run' | 'user' | 'label' | 'day';
  /** Name of the label. */
  readonly label?: string;
  readonly range: TimeRange;
}

export function headOfEntry({ by, label, range }: EntrySplit, entry: CostEntryDocument): GroupHead {
  const { credit, sessionId } = entry;
  switch (by) {
    case 'user':
      return { user: credit.user ?? null };
    case 'label': {
      const name = label ?? '';
      return {
        label: name,
        value: own(credit.labels, name) ?? null,
      };
    }
    case 'day':
      return { day: dayIn(range, credit.startedAt) };
    case 'run': {
      const { runId = null, attempt = null, reason = null, user = null } = credit;
      return { sessionId, runId, attempt, reason, user };
    }
  }
}

/** Sums by head; calls that were taken back leave no group behind. */
export class Groups {
  private readonly groups = new Map<string, { readonly head: GroupHead; readonly cells: Cells }>();

  add(head: GroupHead, key: string, parts: Parameters<Cells['add']>[1], sign: 1n | -1n = 1n): void {
    const name = JSON.stringify(head);
    let group = this.groups.get(name);
    if (group === undefined) this.groups.set(name, (group = { head, cells: new Cells() }));
    group.cells.add(key, parts, sign);
  }

  inOrder(): CostGroup[] {
    return [...this.groups.values()].flatMap(({ head, cells }) => {
      const closed = cells.close();
      if (Object.keys(closed).length === 0) return [];
      const { own, descendants, inclusive } = treeFigures({ cells: closed });
      return [{ ...head, own, descendants, inclusive } as CostGroup];
    });
  }

  mostCallsFirst(): CostGroup[] {
    const name = ({
      own: _own,
      descendants: _below,
      inclusive: _all,
      ...head
    }: CostGroup): string => JSON.stringify(head);
    return this.inOrder().sort(
      (one, other) =>
        other.inclusive.calls - one.inclusive.calls || (name(one) < name(other) ? -1 : 1),
    );
  }

  byKind(): CostGroup[] {
    const place = ({ kind }: GroupHead): number => KINDS.indexOf(String(kind));
    return this.inOrder().sort((one, other) => place(one) - place(other));
  }

  /** The unknown day last. */
  byDay(): CostGroup[] {
    const day = (group: GroupHead): string => String(group['day'] ?? '~');
    return this.inOrder().sort((one, other) => (day(one) < day(other) ? -1 : 1));
  }
}

export function entryKey(path: EdgePath, entry: CostEntryDocument): string {
  return cellKey(path, entry.kind);
}
