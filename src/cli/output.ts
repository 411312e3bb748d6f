/** Answers go to stdout, everything said to people on the way goes to stderr. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, jsonValue)}\n`);
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function jsonValue(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** `1 message`, `2 messages`. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

/** Columns padded to their widest cell; numbers stand at the right. */
export function table(
  rows: readonly (readonly string[])[],
  rightAligned: readonly number[] = [],
): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          rightAligned.includes(column)
            ? cell.padStart(widths[column]!)
            : cell.padEnd(widths[column]!),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
