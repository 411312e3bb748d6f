/**
 * The value that a record holds itself under a key, or undefined. For every record whose keys came
 * from outside (ids of calls, names of tools and models): `toString` and `__proto__` are such keys
 * too, and a bare index would find what every object inherits.
 */
export function own<Value>(
  record: Readonly<Record<string, Value>>,
  key: string,
): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
