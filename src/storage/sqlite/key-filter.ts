/** With four places per key, about one absent key in eighty passes. */
const BITS_PER_KEY = 10;
const PLACES_PER_KEY = 4;
const HALF = 2 ** 24;

/**
 * A Bloom filter over keys, each given as 48 bits of its digest: an absent key is nearly always told
 * from memory. It only saves look-ups; what passes is looked up, and the whole digest decides.
 */
export function filterOf(hashes: readonly number[]): Uint8Array {
  const filter = emptyFilter(hashes.length);
  for (const hash of hashes) addTo(filter, hash);
  return filter;
}

/** For so many keys; with more it passes more of those that are absent. */
export function emptyFilter(keyCount: number): Uint8Array {
  return new Uint8Array(Math.max(1, Math.ceil((keyCount * BITS_PER_KEY) / 8)));
}

export function addTo(filter: Uint8Array, hash: number): void {
  const bits = filter.length * 8;
  for (let index = 0; index < PLACES_PER_KEY; index += 1) {
    const place = placeOf(hash, index, bits);
    filter[place >>> 3] = (filter[place >>> 3] ?? 0) | (1 << (place & 7));
  }
}

/** False: the key is certainly not among those that the filter was made of. */
export function mayContain(filter: Uint8Array, hash: number): boolean {
  const bits = filter.length * 8;
  for (let index = 0; index < PLACES_PER_KEY; index += 1) {
    const place = placeOf(hash, index, bits);
    if (((filter[place >>> 3] ?? 0) & (1 << (place & 7))) === 0) return false;
  }
  return true;
}

/** Two halves of a hash make as many places as one likes (Kirsch and Mitzenmacher, 2006). */
function placeOf(hash: number, index: number, bits: number): number {
  const second = hash % HALF;
  return ((hash - second) / HALF + index * (second | 1)) % bits;
}
