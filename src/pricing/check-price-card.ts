import { bucketNames, countNames } from '../domain/usage.js';
import type { PriceCard } from '../domain/price-card.js';

type Fields = Readonly<Record<string, unknown>>;

const bucketSet: ReadonlySet<string> = new Set(bucketNames);
const countSet: ReadonlySet<string> = new Set(countNames);
const wholePico = /^\d{1,30}$/;
const factorText = /^\d{1,6}(?:\.\d{1,12})?$/;
const timeOfDay = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const utcInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/;
const cardFields = [
  'cardId',
  'version',
  'supersedes',
  'provider',
  'region',
  'models',
  'rates',
  'fees',
  'contextTiers',
  'serviceTiers',
  'uplift',
  'windows',
  'effectiveFrom',
  'effectiveUntil',
  'currency',
  'status',
  'sources',
];
const modelFields = ['id', 'aliases', 'snapshotsOf'];
const sourceTexts = ['url', 'commit', 'readOn', 'licence'];
const textCharactersMax = 2_000;
const namesMax = 200;
const nameCharactersMax = 200;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= nameCharactersMax;
}

function isShortText(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value.length <= textCharactersMax);
}

function isZone(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}

/** Collects what is wrong, each with the path of the field and what to write there. */
class CardChecker {
  readonly problems: string[] = [];

  expect(holds: boolean, path: string, wanted: string): void {
    if (!holds) this.problems.push(`${path}: must be ${wanted}`);
  }

  /** A misspelt field is an error, not a lost wish. */
  onlyKnown(value: Fields, known: readonly string[], path = ''): void {
    for (const name of Object.keys(value)) {
      const at = path === '' ? name : `${path}.${name}`;
      if (!known.includes(name)) this.problems.push(`${at}: is no field of a price card`);
    }
  }

  list(value: unknown, path: string, check: (entry: unknown, path: string) => void): void {
    if (value === undefined) return;
    if (!Array.isArray(value) || value.length > namesMax) {
      this.problems.push(`${path}: must be a list of at most ${namesMax} entries`);
      return;
    }
    value.forEach((entry, index) => check(entry, `${path}[${index}]`));
  }

  names(value: unknown, path: string): void {
    this.list(value, path, (entry, at) =>
      this.expect(isName(entry), at, `a text of 1 to ${nameCharactersMax} characters`),
    );
  }

  amounts(value: unknown, path: string, known: ReadonlySet<string>, unit: string): void {
    if (!isFields(value)) {
      this.problems.push(`${path}: must be an object of ${unit}`);
      return;
    }
    for (const [name, amount] of Object.entries(value)) {
      this.expect(known.has(name), `${path}.${name}`, `one of ${[...known].join(', ')}`);
      const whole = typeof amount === 'string' && wholePico.test(amount);
      this.expect(whole, `${path}.${name}`, `${unit}, as decimal text of a whole number`);
    }
  }

  rates(value: unknown, path: string): void {
    this.amounts(value, path, bucketSet, 'pico per million tokens');
  }

  contextTiers(value: unknown, path: string): void {
    this.list(value, path, (tier, at) => {
      const fields = isFields(tier) ? tier : {};
      const { above, inclusive } = fields;
      this.expect(Number.isSafeInteger(above) && Number(above) >= 0, `${at}.above`, 'input tokens');
      this.expect(typeof inclusive === 'boolean', `${at}.inclusive`, 'true or false');
      this.rates(fields['rates'], `${at}.rates`);
    });
  }

  factor(value: unknown, path: string): void {
    const holds = typeof value === 'string' && factorText.test(value);
    this.expect(holds, path, 'a decimal text such as "1.1"');
  }

  serviceTiers(value: unknown, path: string): void {
    if (value === undefined) return;
    this.expect(isFields(value), path, 'an object of tiers by name');
    for (const [name, tier] of Object.entries(isFields(value) ? value : {})) {
      const fields = isFields(tier) ? tier : {};
      if ('factor' in fields) this.factor(fields['factor'], `${path}.${name}.factor`);
      else this.rates(fields['rates'], `${path}.${name}.rates`);
      this.contextTiers(fields['contextTiers'], `${path}.${name}.contextTiers`);
    }
  }

  windows(value: unknown, path: string): void {
    this.list(value, path, (window, at) => {
      const fields = isFields(window) ? window : {};
      for (const edge of ['from', 'until']) {
        const time = fields[edge];
        const holds = typeof time === 'string' && timeOfDay.test(time);
        this.expect(holds, `${at}.${edge}`, 'a time HH:MM');
      }
      this.expect(isZone(fields['zone']), `${at}.zone`, 'an IANA time zone such as UTC');
      this.list(fields['weekdays'], `${at}.weekdays`, (day, dayPath) =>
        this.expect([1, 2, 3, 4, 5, 6, 7].includes(Number(day)), dayPath, '1 (Monday) to 7'),
      );
      this.rates(fields['rates'], `${at}.rates`);
      this.contextTiers(fields['contextTiers'], `${at}.contextTiers`);
    });
  }

  uplift(value: unknown, path: string): void {
    this.list(value, path, (entry, at) => {
      const fields = isFields(entry) ? entry : {};
      const one = 'regions' in fields !== 'exceptRegions' in fields;
      this.expect(one, at, 'either for `regions` or for all but `exceptRegions`');
      this.names(fields['regions'], `${at}.regions`);
      this.names(fields['exceptRegions'], `${at}.exceptRegions`);
      this.factor(fields['factor'], `${at}.factor`);
    });
  }

  period(card: Fields): void {
    const { effectiveFrom: from, effectiveUntil: until } = card;
    for (const [name, value] of Object.entries({ effectiveFrom: from, effectiveUntil: until })) {
      const instant = typeof value === 'string' && utcInstant.test(value);
      const real = instant && !Number.isNaN(Date.parse(value));
      if (value !== undefined)
        this.expect(real, name, 'a UTC instant such as 2026-01-01T00:00:00Z');
    }
    if (typeof from !== 'string' || typeof until !== 'string') return;
    this.expect(!(Date.parse(until) <= Date.parse(from)), 'effectiveUntil', 'after effectiveFrom');
  }
}

export type CardCheck =
  | { readonly card: PriceCard }
  | { readonly card?: undefined; readonly problems: readonly string[] };

/** Checks a card that comes from outside, such as a tenant's override, before it is recorded. */
export function checkPriceCard(value: unknown): CardCheck {
  const checker = new CardChecker();
  if (!isFields(value)) return { problems: ['card: must be an object'] };
  checker.onlyKnown(value, cardFields);
  const name = `a text of 1 to ${nameCharactersMax} characters`;
  const { version, supersedes, region, models, currency, status, sources } = value;
  checker.expect(isName(value['cardId']), 'cardId', name);
  checker.expect(Number.isSafeInteger(version) && Number(version) > 0, 'version', '1 or more');
  const replaces = Number.isSafeInteger(supersedes) && Number(supersedes) < Number(version);
  checker.expect(supersedes === undefined || replaces, 'supersedes', 'an earlier version');
  checker.expect(isName(value['provider']), 'provider', name);
  checker.expect(region === undefined || isName(region), 'region', name);
  const named = isFields(models) ? models : {};
  checker.onlyKnown(named, modelFields, 'models');
  checker.expect(isName(named['id']), 'models.id', name);
  checker.names(named['aliases'], 'models.aliases');
  checker.names(named['snapshotsOf'], 'models.snapshotsOf');
  checker.rates(value['rates'], 'rates');
  if (value['fees'] !== undefined) checker.amounts(value['fees'], 'fees', countSet, 'pico each');
  checker.contextTiers(value['contextTiers'], 'contextTiers');
  checker.serviceTiers(value['serviceTiers'], 'serviceTiers');
  checker.uplift(value['uplift'], 'uplift');
  checker.windows(value['windows'], 'windows');
  checker.period(value);
  const code = typeof currency === 'string' && /^[A-Z]{3}$/.test(currency);
  checker.expect(code, 'currency', 'an ISO 4217 code such as USD');
  checker.expect(status === 'catalogue' || status === 'override', 'status', 'override');
  checker.expect(Array.isArray(sources) && sources.length > 0, 'sources', 'a list of sources');
  checker.list(sources, 'sources', (source, at) => {
    const fields = isFields(source) ? source : {};
    checker.expect(isName(fields['name']), `${at}.name`, name);
    checker.expect(isName(fields['enteredBy']), `${at}.enteredBy`, name);
    checker.onlyKnown(fields, ['name', 'enteredBy', ...sourceTexts], at);
    for (const text of sourceTexts) {
      checker.expect(isShortText(fields[text]), `${at}.${text}`, 'a text');
    }
  });
  const { problems } = checker;
  return problems.length > 0 ? { problems } : { card: value as unknown as PriceCard };
}
