/** Statistics of the benchmark: medians, because one slow fsync says nothing. */

export function median(values) {
  return quantile(values, 0.5);
}

export function quantile(values, share) {
  if (values.length === 0) throw new Error('no values to take a quantile of');
  const sorted = Float64Array.from(values).sort();
  const place = (sorted.length - 1) * share;
  const low = Math.floor(place);
  const high = Math.ceil(place);
  return sorted[low] + (sorted[high] - sorted[low]) * (place - low);
}

/** Slope of the line through (log size, log value): 0 = does not grow, 1 = linear. */
export function exponent(points) {
  const logs = points.map(([size, value]) => [Math.log(size), Math.log(value)]);
  const meanX = mean(logs.map(([x]) => x));
  const meanY = mean(logs.map(([, y]) => y));
  const across = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const along = logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return across / along;
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Wall clock of one piece of work, in milliseconds. */
export async function timed(work) {
  const startedAt = performance.now();
  const result = await work();
  return { ms: performance.now() - startedAt, result };
}

/** Processor time of one piece of work, user and system, in milliseconds. */
export async function cpuTimed(work) {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1000, result };
}

/** Three digits of what matters. */
export function rounded(value) {
  const magnitude = Math.abs(value);
  return magnitude >= 100
    ? value.toFixed(0)
    : magnitude >= 10
      ? value.toFixed(1)
      : value.toFixed(2);
}
