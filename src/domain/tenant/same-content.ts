/** Equal as JSON, whatever the order of keys. */
export function sameContent(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || !left || !right) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].every((key) => sameContent((left as Fields)[key], (right as Fields)[key]));
}

type Fields = Readonly<Record<string, unknown>>;
