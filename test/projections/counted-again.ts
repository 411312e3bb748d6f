import { type Step, type Tree, type TreeSession, ancestorsOf } from './random-trees.js';

/** What one session says of a provider request, as far as money goes. */
interface Said {
  readonly rank: number;
  readonly tokens: number;
  readonly pico: bigint | null;
  readonly repriced: boolean;
}

export interface Counted {
  readonly calls: number;
  readonly pico: bigint;
}

const RANK = { final: 3, partial: 2, estimated: 1, unknown: 0 } as const;

/**
 * The cost of every session, counted from the events alone by the rules of the specification and
 * with nothing of the projection: each provider request once, at its owner. `until` counts events.
 */
export class CountedAgain {
  private readonly started = new Set<string>();
  private readonly said = new Map<string, Map<string, Said>>();

  constructor(
    private readonly tree: Tree,
    until = tree.events.length,
  ) {
    const next = new Map(tree.sessions.map(({ id, steps }) => [id, [...steps]]));
    for (const { sessionId, event } of tree.events.slice(0, until)) {
      if (event.type === 'SessionStarted' || event.type === 'Forked') this.started.add(sessionId);
      else this.see(sessionId, next.get(sessionId)!.shift()!);
    }
  }

  hasBegun({ id }: TreeSession): boolean {
    return this.started.has(id);
  }

  own({ id }: TreeSession): Counted {
    const mine = [...this.said].filter(([, holders]) => this.ownerOf(holders) === id);
    return total(mine.map(([, holders]) => best([...holders.values()])));
  }

  /** Of all sessions that are reached through sessions that have begun. */
  inclusive(session: TreeSession): Counted {
    const { sessions } = this.tree;
    const below = sessions.filter(
      (one) => this.hasBegun(one) && one.parent === sessions.indexOf(session),
    );
    const parts = [this.own(session), ...below.map((one) => this.inclusive(one))];
    return {
      calls: parts.reduce((sum, { calls }) => sum + calls, 0),
      pico: parts.reduce((sum, part) => sum + part.pico, 0n),
    };
  }

  private see(sessionId: string, step: Step): void {
    if (step.kind === 'repriced') {
      const holders = this.said.get(step.key);
      const known = holders?.get(sessionId);
      if (known === undefined || known.pico === step.pico) return;
      holders!.set(sessionId, { ...known, pico: step.pico, repriced: true });
    }
    if (step.kind !== 'settled' && step.kind !== 'late') return;
    const isKnown = step.state !== 'unknown';
    const said: Said = {
      rank: RANK[step.state],
      tokens: isKnown ? step.tokens : 0,
      pico: isKnown ? step.pico : null,
      repriced: false,
    };
    const holders = this.said.get(step.key) ?? new Map<string, Said>();
    this.said.set(step.key, holders);
    const known = holders.get(sessionId);
    holders.set(sessionId, known === undefined ? said : best([known, said]));
  }

  /** An ancestor of the others; else who began first; else the smallest id. */
  private ownerOf(holders: ReadonlyMap<string, Said>): string {
    const { sessions } = this.tree;
    const all = sessions.filter(({ id }) => holders.has(id));
    const top = all.filter(
      ({ parent }) => !ancestorsOf(parent, sessions).some((id) => holders.has(id)),
    );
    top.sort((one, other) => (one.startedAt + one.id < other.startedAt + other.id ? -1 : 1));
    return top[0]!.id;
  }
}

/** Better state, then more tokens, then a re-pricing, then any price, then the higher one. */
function best(all: readonly Said[]): Said {
  const order = ({ rank, tokens, pico, repriced }: Said): readonly bigint[] => [
    BigInt(rank),
    BigInt(tokens),
    BigInt(repriced),
    pico === null ? 0n : 1n,
    pico ?? 0n,
  ];
  return all.reduce((one, other) => {
    const [mine, its] = [order(one), order(other)];
    const at = mine.findIndex((value, index) => value !== its[index]);
    return at >= 0 && its[at]! > mine[at]! ? other : one;
  });
}

function total(calls: readonly Said[]): Counted {
  return { calls: calls.length, pico: calls.reduce((sum, { pico }) => sum + (pico ?? 0n), 0n) };
}
