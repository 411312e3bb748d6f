import type { Part } from './call-report.js';

/** Sums as they are stored: by cell, then by part, as decimal strings. */
export type StoredCells = Readonly<Record<string, Readonly<Record<string, string>>>>;

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

/** Whole-number sums in named cells, while being changed. */
export class Cells {
  private readonly cells = new Map<string, Cell>();

  get size(): number {
    return this.cells.size;
  }

  add(key: string, parts: readonly Part[], sign: 1n | -1n): void {
    let cell = this.cells.get(key);
    if (cell === undefined) this.cells.set(key, (cell = new Cell()));
    cell.add(parts, sign);
  }

  all(): readonly { readonly key: string; readonly parts: readonly Part[] }[] {
    return [...this.cells].map(([key, cell]) => ({ key, parts: cell.parts }));
  }

  static open(stored: StoredCells): Cells {
    const cells = new Cells();
    for (const [key, parts] of Object.entries(stored)) cells.add(key, openParts(parts), 1n);
    return cells;
  }

  close(): StoredCells {
    const closed: Record<string, Record<string, string>> = {};
    for (const [key, cell] of this.cells) {
      const parts = cell.close();
      if (parts !== undefined) closed[key] = parts;
    }
    return closed;
  }
}

export function openParts(stored: Readonly<Record<string, string>>): Part[] {
  return Object.entries(stored).map(([name, text]): Part => [name, BigInt(text)]);
}

export function closeParts(parts: readonly Part[]): Record<string, string> {
  const closed: Record<string, string> = {};
  for (const [name, amount] of parts) closed[name] = amount.toString();
  return closed;
}
