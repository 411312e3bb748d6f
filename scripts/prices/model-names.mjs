/**
 * From the matchers of genai-prices (equals, starts_with, contains, …) to names that stand for one
 * model only: exact ids, aliases, and ids that may be followed by a date. Open matchers are never
 * taken over: they would also match models that do not exist yet.
 */

/** A published id that goes on with a version number is another model: claude-sonnet-4 | -5.
 * Not so the dates -MM-DD and -MM-YYYY. */
const furtherVersion = /^[-.](?!\d{2}-(?:\d{2}|20\d{2})(?!\d))\d{1,2}(?!\d)/;
const endsInDate = /(?:[-@]20\d{6}|-20\d{2}-\d{2}-\d{2})(?:-v\d+(?::\d+)?)?$/;
/** A matcher means dated forms of an id if it holds for one of these. */
const sampleDates = ['-20251231', '-2025-12-31', '-2024-12-31', '@20251231'];
const bedrockSuffix = /-v\d+(:\d+)?$/;

export function matches(matcher, id) {
  const name = id.toLowerCase();
  const [[operator, value]] = Object.entries(matcher);
  switch (operator) {
    case 'or':
      return value.some((part) => matches(part, id));
    case 'and':
      return value.every((part) => matches(part, id));
    case 'equals':
      return name === value.toLowerCase();
    case 'starts_with':
      return name.startsWith(value.toLowerCase());
    case 'ends_with':
      return name.endsWith(value.toLowerCase());
    case 'contains':
      return name.includes(value.toLowerCase());
    case 'regex':
      return new RegExp(value, 'i').test(id);
    default:
      throw new Error(`genai-prices-v2.json: matcher "${operator}" is not known; teach it here`);
  }
}

function leaves(matcher) {
  const [[operator, value]] = Object.entries(matcher);
  if (operator === 'or' || operator === 'and') return value.flatMap(leaves);
  return [[operator, value]];
}

/** `^gpt-5\.6-sol-\d{4}-\d{2}-\d{2}$` stands for dated forms of `gpt-5.6-sol`. */
function baseOfRegex(pattern) {
  const literal = /^\^([a-z0-9\\./-]+?)-\\d/i.exec(pattern);
  return literal ? literal[1].replaceAll('\\', '') : undefined;
}

/** The id that an open matcher means; undefined where it breaks off inside a name. */
function baseOfOpen(value) {
  const whole = value.replace(/-20\d\d-?$/, '').replace(/[-@]$/, '');
  return /-\d$/.test(whole) && value.endsWith('-0') ? undefined : whole;
}

/** Prefers the model that names the id exactly, then the first one whose matcher holds. */
function resolve(models, id) {
  return models.find((model) => matches(model.match, id));
}

function openValues(model) {
  return leaves(model.match).filter(([operator]) => operator !== 'equals');
}

function extendsByVersion(model, id) {
  const values = openValues(model).map(([, value]) => value.toLowerCase());
  const at = values.filter((value) => id.toLowerCase().includes(value));
  if (at.length === 0) return false;
  const longest = at.reduce((one, other) => (other.length > one.length ? other : one));
  const start = id.toLowerCase().indexOf(longest) + longest.length;
  return furtherVersion.test(id.slice(start));
}

function namesOf(model) {
  const suffix = bedrockSuffix.exec(model.id)?.[0];
  const exact = [];
  const bases = [];
  for (const [operator, value] of leaves(model.match)) {
    if (operator === 'equals') exact.push(value);
    else if (operator === 'regex') bases.push(baseOfRegex(value));
    else bases.push(baseOfOpen(value));
  }
  const open = bases.filter((base) => base !== undefined && base !== '');
  const suffixes = suffix ? [suffix, suffix.replace(/:\d+$/, '')] : [];
  const withSuffix = suffixes.flatMap((end) =>
    open.map((base) => `${base.replace(bedrockSuffix, '')}${end}`),
  );
  return { exact: [...exact, ...open, ...withSuffix], bases: open };
}

function uniqueNames(names) {
  const seen = new Map();
  for (const name of names) {
    const key = name.toLowerCase();
    if (!seen.has(key)) seen.set(key, name);
  }
  return [...seen.values()];
}

/**
 * For each model of a provider: `{id, aliases, snapshotsOf}`. A name is kept only where the
 * provider's own matchers lead it to this model and to no other one.
 */
export function modelNames(provider, publishedIds) {
  const names = new Map();
  for (const model of provider.models) {
    const own = (name) => resolve(provider.models, name) === model;
    const { exact, bases } = namesOf(model);
    const published = publishedIds.filter((id) => own(id) && !extendsByVersion(model, id));
    const aliases = uniqueNames([...exact, ...published].filter(own)).filter(
      (name) => name.toLowerCase() !== model.id.toLowerCase(),
    );
    const dated = (base) => !endsInDate.test(base) && sampleDates.some((date) => own(base + date));
    const snapshotsOf = uniqueNames(bases.filter(dated));
    names.set(model.id, {
      id: model.id,
      ...(aliases.length > 0 ? { aliases: aliases.sort() } : {}),
      ...(snapshotsOf.length > 0 ? { snapshotsOf: snapshotsOf.sort() } : {}),
    });
  }
  return names;
}
