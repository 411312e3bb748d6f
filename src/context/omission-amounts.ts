import type { SearchedText } from './omission-item.js';

/** Units by their normal form. */
const UNITS: Readonly<Record<string, string>> = {
  USD: 'USD US$ $ dollars dollar 美元 美金',
  EUR: 'EUR € euros euro 欧元',
  GBP: 'GBP £ pounds 英镑',
  CNY: 'CNY RMB ¥ yuan 人民币 元 块钱 块',
  JPY: 'JPY yen 日元 円',
  CHF: 'CHF francs',
  HKD: 'HKD HK$ 港元 港币',
  INR: 'INR ₹ rupees',
  CAD: 'CAD',
  AUD: 'AUD',
  SGD: 'SGD',
  SEK: 'SEK',
  KRW: 'KRW ₩',
  percent: '% percent',
  millisecond: 'ms milliseconds millisecond 毫秒',
  second: 's sec secs seconds second 秒 秒钟',
  minute: 'min mins minutes minute 分钟',
  hour: 'h hrs hours hour 小时 个小时',
  day: 'd days day 天',
  businessDay: '个工作日 工作日',
  week: 'weeks week 周 个星期',
  month: 'months month 个月',
  year: 'years year 年',
  byte: 'bytes',
  KB: 'KB KiB kilobytes',
  MB: 'MB MiB megabytes 兆',
  GB: 'GB GiB gigabytes',
  TB: 'TB TiB terabytes',
  kg: 'kg kilograms kilos 公斤 千克',
  g: 'g grams 克',
  tonne: 'tonnes tons 吨',
  km: 'km kilometres kilometers 公里 千米',
  m: 'metres meters 米',
  cm: 'cm 厘米',
  mm: 'mm 毫米',
  squareMetre: '平方米 m²',
  litre: 'litres liters 升',
  celsius: '°C ℃',
  rps: 'rps qps req/s QPS',
  px: 'px pixels',
};
/** Counts of things; from a program they are noise, from a user a requirement. */
const COUNTED: Readonly<Record<string, string>> = {
  token: 'tokens',
  request: 'requests',
  user: 'users 用户',
  row: 'rows 行',
  record: 'records',
  retry: 'retries',
  attempt: 'attempts',
  page: 'pages 页',
  person: 'people persons guests employees 人',
  seat: 'seats',
  piece: 'items units pieces copies 件 台 份 个 条 名',
  time: 'times 次',
  character: 'characters chars 字 个字',
  word: 'words',
  night: 'nights 晚',
  order: 'orders',
  connection: 'connections',
  replica: 'replicas',
  worker: 'workers',
};
const SHORT_UNITS = new Set(['s', 'h', 'd', 'g', 'm']);
const NORMAL_UNIT = new Map<string, string>(
  [UNITS, COUNTED].flatMap((table) =>
    Object.entries(table).flatMap(([unit, names]) =>
      names.split(' ').map((name): [string, string] => [name.toLowerCase(), unit]),
    ),
  ),
);
const COUNTED_UNITS = new Set(Object.keys(COUNTED));
const NAMES = [...NORMAL_UNIT.keys()].sort((one, other) => other.length - one.length);
const isLatin = (name: string): boolean => /^[a-z]/.test(name);
const LATIN = NAMES.filter((name) => isLatin(name) && !SHORT_UNITS.has(name)).map(escaped);
const OTHER = NAMES.filter((name) => !isLatin(name)).map(escaped);
const CURRENCIES = NAMES.filter((name) => /^(?:[a-z]{3}|[^a-z一-鿿]|us\$|hk\$)$/.test(name))
  .filter((name) => /^[A-Z]{3}$/.test(NORMAL_UNIT.get(name) ?? ''))
  .map(escaped);

const NUMBER =
  "(?:\\d{1,3}(?:[,'\\u00a0\\u202f ]\\d{3}){1,5}(?![\\d])(?:\\.\\d{1,4})?|\\d{1,3}(?:\\.\\d{3}){1,4},\\d{1,2}|\\d{1,15}(?:[.,]\\d{1,6})?)";
const SCALE = '(?:(?: ?(?:thousand|million|billion|bn)|k|m|bn)(?![A-Za-z])| ?[万亿千百])';
const WORDS = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven'];
const CHINESE = '[一二两三四五六七八九十百千万]{1,7}';

const BEFORE = new RegExp(
  `(?<![\\w.\`])(${CURRENCIES.join('|')}) ?(${NUMBER})(${SCALE})?(?![\\d])`,
  'gi',
);
const AFTER = new RegExp(
  `(?<![\\w.#/-])(?:(${NUMBER}) ?(?:[-–~至到]|to) ?)?(${NUMBER})(${SCALE})?` +
    `(?:[ -]?(${LATIN.join('|')})(?![A-Za-z0-9_])|(s|h|d|g|m)(?![A-Za-z0-9_])| ?(${OTHER.join('|')}))`,
  'gi',
);
const SCALED = new RegExp(
  `(?<![\\w.#/-])(${NUMBER})(k|m|bn|[万亿]| million| billion)(?![A-Za-z0-9])`,
  'gi',
);
const SPELLED = new RegExp(`\\b(${WORDS.join('|')})[ -](${LATIN.join('|')})(?![A-Za-z])`, 'gi');
const CHINESE_SPELLED = new RegExp(
  `(?<![第一二三四五六七八九十])(${CHINESE})(元|块钱|美元|欧元|天|周|个月|年|小时|个小时|分钟|秒|次|个工作日|公斤|公里|吨)`,
  'g',
);

export function findAmounts(searched: SearchedText): void {
  for (const match of searched.matches(BEFORE)) {
    const [, unit, number, scale] = match;
    add(searched, match, `${valueOf(number, scale)} ${normalUnit(unit)}`);
  }
  for (const match of searched.matches(AFTER)) {
    const [, low, number, scale, latin, short, other] = match;
    const unit = normalUnit(latin ?? short ?? other);
    if (unit === 'year' && Number(number) > 1000) continue;
    const range = low === undefined ? '' : `${valueOf(low, scale)}-`;
    add(searched, match, `${range}${valueOf(number, scale)} ${unit}`, COUNTED_UNITS.has(unit));
  }
  for (const match of searched.matches(SCALED)) {
    add(searched, match, `${valueOf(match[1], match[2])} `);
  }
  for (const match of searched.matches(SPELLED)) {
    const [, word, name] = match;
    const unit = normalUnit(name);
    const value = WORDS.indexOf(word!.toLowerCase()) + 2;
    add(searched, match, `${value} ${unit}`, COUNTED_UNITS.has(unit));
  }
  for (const match of searched.matches(CHINESE_SPELLED)) {
    const unit = normalUnit(match[2]);
    const value = chineseNumber(match[1]!);
    // 一次, 一天 and the like are mostly words, not amounts.
    if (value > 1) add(searched, match, `${value} ${unit}`, COUNTED_UNITS.has(unit));
  }
}

function add(searched: SearchedText, match: RegExpExecArray, key: string, isMinor = false): void {
  searched.add({
    kind: 'amount',
    text: match[0],
    keys: [`amount:${key}`],
    start: match.index,
    isMinor,
  });
}

function normalUnit(name = ''): string {
  return name.toLowerCase() === 'm' ? 'minute' : (NORMAL_UNIT.get(name.toLowerCase()) ?? '');
}

const SCALES: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  million: 1e6,
  bn: 1e9,
  billion: 1e9,
  百: 100,
  千: 1e3,
  万: 1e4,
  亿: 1e8,
};

/** 1,200.00 and 1.200,00 and 1200 are one number; rounded to hide what floating point adds. */
function valueOf(number = '', scale = ''): number {
  const digits = number.replace(/['\u00a0\u202f ]/g, '');
  const isEuropean = /^\d{1,3}(?:\.\d{3})+,\d{1,2}$/.test(digits) || /^\d+,\d{1,2}$/.test(digits);
  const plain = isEuropean
    ? digits.replaceAll('.', '').replace(',', '.')
    : digits.replaceAll(',', '');
  return Number((Number(plain) * (SCALES[scale.trim().toLowerCase()] ?? 1)).toFixed(6));
}

function chineseNumber(digits: string): number {
  let total = 0;
  let digit = 0;
  for (const sign of digits) {
    const scale = sign === '十' ? 10 : SCALES[sign];
    if (scale === undefined) digit = '一二三四五六七八九'.indexOf(sign === '两' ? '二' : sign) + 1;
    else if (scale === 1e4) [total, digit] = [(total + digit) * scale, 0];
    else [total, digit] = [total + (digit || 1) * scale, 0];
  }
  return total + digit;
}

function escaped(name: string): string {
  return name.replace(/[$.*+?^/()|]/g, '\\$&');
}
