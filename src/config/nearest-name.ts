/** The name that is reached with the least edits; the first of them if there are several. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const byDistance = known.map((candidate) => ({
    candidate,
    edits: editsBetween(name, candidate),
  }));
  byDistance.sort((left, right) => left.edits - right.edits);
  return byDistance[0]?.candidate;
}

/**
 * Edits (insert, remove, swap two neighbours; a replaced letter counts as two) that turn one text
 * into the other, after Damerau and Levenshtein. Replacing costs more because a word left out is
 * likelier than a word mistyped letter by letter: HOLDFAST_KEY is nearer to API_KEY than to URL.
 */
function editsBetween(from: string, to: string): number {
  const rows: number[][] = [];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Infinity;
  for (let row = 0; row <= from.length; row += 1) {
    const current: number[] = [];
    rows.push(current);
    for (let column = 0; column <= to.length; column += 1) {
      if (row === 0 || column === 0) {
        current.push(row + column);
        continue;
      }
      const same = from[row - 1] === to[column - 1];
      const swapped =
        row > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (same ? 0 : 2),
          swapped ? at(row - 2, column - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return at(from.length, to.length);
}
