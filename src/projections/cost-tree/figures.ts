import type { ModelCallPurpose } from '../../domain/events/model-events.js';
import type { ParentEdge } from '../../domain/events/session-events.js';
import { type Amount, type CostSource, addAmounts, formatPico } from '../../domain/money.js';
import { type BucketName, type CountName, bucketNames, countNames } from '../../domain/usage.js';
import { countPart, tokenPart } from './call-report.js';
import { type CostNodeDocument, edgesOf, partsOfKey } from './cost-node.js';

/** Cost and usage of a set of calls. Amounts and token sums are decimal strings. */
export interface Figures {
  /** One entry per currency; a model that costs 0 has an entry, an unknown price has none. */
  readonly amounts: readonly CurrencyAmount[];
  readonly calls: number;
  readonly unpricedCalls: number;
  readonly unpricedTokens: string;
  readonly partialCalls: number;
  readonly estimatedCalls: number;
  readonly unknownUsageCalls: number;
  /** False when any call is unpriced, partial, estimated or unknown. */
  readonly complete: boolean;
  readonly usage: Readonly<Partial<Record<BucketName, string>>>;
  readonly counts: Readonly<Partial<Record<CountName, string>>>;
  /** Calls that count with another price than they were recorded with. */
  readonly repricedCalls: number;
  /** Without the re-pricings; present when there are any. */
  readonly asRecorded?: {
    readonly amounts: readonly Omit<CurrencyAmount, 'bySource'>[];
    readonly unpricedCalls: number;
  };
  /** The part of it that was imported, so not spent here; present when there is any. */
  readonly imported?: {
    readonly calls: number;
    readonly amounts: readonly Omit<CurrencyAmount, 'bySource'>[];
  };
}

export interface CurrencyAmount {
  readonly currency: string;
  readonly amountPico: string;
  /** The same in units: exact, no exponent, no trailing zeros. */
  readonly amount: string;
  readonly bySource: Readonly<Partial<Record<CostSource, string>>>;
}

export interface ModelFigures extends Figures {
  readonly provider: string | null;
  readonly model: string | null;
}

export interface PurposeFigures extends Figures {
  readonly purpose: ModelCallPurpose;
}

/** The sums of one session and of what is below it, as far as `edges` reach. */
export interface TreeFigures {
  readonly own: Figures;
  readonly descendants: Figures;
  readonly inclusive: Figures;
  /** Of the inclusive calls; most calls first. */
  readonly byModel: readonly ModelFigures[];
  readonly byPurpose: readonly PurposeFigures[];
  /**
   * The descendants, each in one part: `subagent` holds what is reached through subagents alone,
   * `continuation` what needs a continuation but no fork, `fork` what needs a fork.
   */
  readonly byEdge: Readonly<Record<ParentEdge, Figures>>;
}

interface Cell {
  readonly edges: readonly ParentEdge[];
  readonly purpose: ModelCallPurpose;
  readonly provider: string | null;
  readonly model: string | null;
  readonly parts: Readonly<Record<string, string>>;
}

/** The cells of what is reached through these kinds of edges alone. */
export function cellsWithin(
  { cells }: Pick<CostNodeDocument, 'cells'>,
  edges: readonly ParentEdge[] = ALL_EDGES,
): CostNodeDocument['cells'] {
  const within = Object.entries(cells).filter(([key]) =>
    edgesOf(partsOfKey(key).path).every((edge) => edges.includes(edge)),
  );
  return Object.fromEntries(within);
}

export const ALL_EDGES: readonly ParentEdge[] = ['subagent', 'continuation', 'fork'];

/** Descendants that are reached through other kinds of edges than `edges` are left out. */
export function treeFigures(
  { cells: stored }: Pick<CostNodeDocument, 'cells'>,
  edges: readonly ParentEdge[] = ALL_EDGES,
): TreeFigures {
  const all = Object.entries(stored).map(([key, parts]) => cellOf(key, parts));
  const cells = all.filter((cell) => cell.edges.every((edge) => edges.includes(edge)));
  const below = cells.filter((cell) => cell.edges.length > 0);
  return {
    own: figuresOf(cells.filter((cell) => cell.edges.length === 0)),
    descendants: figuresOf(below),
    inclusive: figuresOf(cells),
    byModel: byModel(cells),
    byPurpose: byPurpose(cells),
    byEdge: {
      subagent: figuresOf(below.filter((cell) => strongest(cell) === 'subagent')),
      continuation: figuresOf(below.filter((cell) => strongest(cell) === 'continuation')),
      fork: figuresOf(below.filter((cell) => strongest(cell) === 'fork')),
    },
  };
}

function cellOf(key: string, parts: Cell['parts']): Cell {
  const { path, kind } = partsOfKey(key);
  const [purpose, provider, model] = JSON.parse(kind) as [
    ModelCallPurpose,
    string | null,
    string | null,
  ];
  return { edges: edgesOf(path), purpose, provider, model, parts };
}

function strongest({ edges }: Cell): ParentEdge | undefined {
  return ALL_EDGES.findLast((edge) => edges.includes(edge));
}

function byModel(cells: readonly Cell[]): readonly ModelFigures[] {
  const groups = grouped(cells, ({ provider, model }) => JSON.stringify([provider, model]));
  return mostCallsFirst(
    groups.map((group) => ({
      provider: group[0]!.provider,
      model: group[0]!.model,
      ...figuresOf(group),
    })),
    ({ provider, model }) => JSON.stringify([provider, model]),
  );
}

function byPurpose(cells: readonly Cell[]): readonly PurposeFigures[] {
  const groups = grouped(cells, ({ purpose }) => purpose);
  return mostCallsFirst(
    groups.map((group) => ({ purpose: group[0]!.purpose, ...figuresOf(group) })),
    ({ purpose }) => purpose,
  );
}

function grouped(cells: readonly Cell[], nameOf: (cell: Cell) => string): readonly Cell[][] {
  const groups = new Map<string, Cell[]>();
  for (const cell of cells) {
    const group = groups.get(nameOf(cell));
    if (group === undefined) {
      groups.set(nameOf(cell), [cell]);
    } else {
      group.push(cell);
    }
  }
  return [...groups.values()];
}

function mostCallsFirst<T extends Figures>(
  groups: readonly T[],
  nameOf: (group: T) => string,
): readonly T[] {
  return [...groups].sort(
    (one, other) => other.calls - one.calls || (nameOf(one) < nameOf(other) ? -1 : 1),
  );
}

export function figuresOf(cells: readonly { readonly parts: Cell['parts'] }[]): Figures {
  const sums = new Map<string, bigint>();
  for (const { parts } of cells) {
    for (const [name, text] of Object.entries(parts)) {
      sums.set(name, (sums.get(name) ?? 0n) + BigInt(text));
    }
  }
  const count = (name: string): number => Number(sums.get(name) ?? 0n);
  const unpricedCalls = count('unpricedCalls');
  const partialCalls = count('partialCalls');
  const estimatedCalls = count('estimatedCalls');
  const unknownUsageCalls = count('unknownUsageCalls');
  const repricedCalls = count('repricedCalls');
  const importedCalls = count('importedCalls');
  const amounts = amountsOf(sums);
  return {
    amounts,
    calls: count('calls'),
    unpricedCalls,
    unpricedTokens: (sums.get('unpricedTokens') ?? 0n).toString(),
    partialCalls,
    estimatedCalls,
    unknownUsageCalls,
    complete: unpricedCalls + partialCalls + estimatedCalls + unknownUsageCalls === 0,
    usage: named(sums, bucketNames, tokenPart),
    counts: named(sums, countNames, countPart),
    repricedCalls,
    ...(repricedCalls === 0 ? {} : { asRecorded: asRecorded(sums, amounts, unpricedCalls) }),
    ...(importedCalls === 0
      ? {}
      : { imported: { calls: importedCalls, amounts: amountsNamed(sums, 'imported:') } }),
  };
}

function asRecorded(
  sums: ReadonlyMap<string, bigint>,
  amounts: readonly CurrencyAmount[],
  unpricedCalls: number,
): Figures['asRecorded'] {
  return {
    amounts: addAmounts([...amounts, ...amountsNamed(sums, 'recorded:')]).map(inUnits),
    unpricedCalls: unpricedCalls + Number(sums.get('recordedUnpriced') ?? 0n),
  };
}

function amountsNamed(
  sums: ReadonlyMap<string, bigint>,
  prefix: 'recorded:' | 'imported:',
): readonly Omit<CurrencyAmount, 'bySource'>[] {
  return [...sums]
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, amount]) =>
      inUnits({ currency: name.slice(prefix.length), amountPico: amount.toString() }),
    )
    .sort((one, other) => (one.currency < other.currency ? -1 : 1));
}

function inUnits({ currency, amountPico }: Amount): Omit<CurrencyAmount, 'bySource'> {
  return { currency, amountPico, amount: formatPico(BigInt(amountPico)) };
}

function named<Name extends string>(
  sums: ReadonlyMap<string, bigint>,
  names: readonly Name[],
  partOf: Readonly<Record<Name, string>>,
): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const sum = sums.get(partOf[name]);
    if (sum !== undefined && sum !== 0n) found[name] = sum.toString();
  }
  return found;
}

function amountsOf(sums: ReadonlyMap<string, bigint>): readonly CurrencyAmount[] {
  const currencies = new Map<string, Map<CostSource, bigint>>();
  for (const name of [...sums.keys()].sort()) {
    if (!name.startsWith('priced:')) continue;
    const end = name.lastIndexOf(':');
    const currency = name.slice('priced:'.length, end);
    const source = name.slice(end + 1) as CostSource;
    const bySource = currencies.get(currency) ?? new Map<CostSource, bigint>();
    bySource.set(source, sums.get(`pico:${currency}:${source}`) ?? 0n);
    currencies.set(currency, bySource);
  }
  return [...currencies].map(([currency, bySource]) => {
    const pico = [...bySource.values()].reduce((sum, part) => sum + part, 0n);
    const parts = [...bySource].map(([source, part]) => [source, part.toString()]);
    return {
      currency,
      amountPico: pico.toString(),
      amount: formatPico(pico),
      bySource: Object.fromEntries(parts) as CurrencyAmount['bySource'],
    };
  });
}
