import type { SearchedText } from './omission-item.js';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)';
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const CHINESE_WEEKDAYS = '日一二三四五六';

type Keys = (groups: readonly (string | undefined)[]) => readonly string[];

/** Every kind of date: its expression, and the normal forms of what it matched. */
const DATES: readonly (readonly [RegExp, Keys])[] = [
  [
    expression(`\\b(${MONTH}) (\\d{1,2}) \\d{1,2}:\\d{2}(?::\\d{2})? (\\d{4})\\b`),
    ([, month, day, year]) => [dayKey(year, numberOf(month), day)],
  ],
  [
    /(?<![\w/.-])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?![\d/-])/g,
    ([, year, , month, day]) => [dayKey(year, month, day)],
  ],
  [
    /(\d{4}) ?年 ?(\d{1,2}) ?月 ?(\d{1,2}) ?[日号]/g,
    ([, year, month, day]) => [dayKey(year, month, day)],
  ],
  [/(\d{4}) ?年 ?(\d{1,2}) ?月/g, ([, year, month]) => [monthKey(year, month)]],
  [/(?<!\d)(\d{1,2}) ?月 ?(\d{1,2}) ?[日号]/g, ([, month, day]) => [dayKey('', month, day)]],
  [/(\d{4}) ?年 ?第?([一二三四1-4]) ?季度/g, ([, year, quarter]) => [quarterKey(quarter, year)]],
  [
    expression(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? (${MONTH})\\b\\.?,?(?: (\\d{4})\\b)?`),
    ([, day, month, year]) => [dayKey(year, numberOf(month), day)],
  ],
  [
    expression(`\\b(${MONTH})\\.? (\\d{1,2})(?:st|nd|rd|th)?\\b(?!:)(?:,? (\\d{4})\\b)?`),
    ([, month, day, year]) => [dayKey(year, numberOf(month), day)],
  ],
  [expression(`\\b(${MONTH}) (\\d{4})\\b`), ([, month, year]) => [monthKey(year, numberOf(month))]],
  [
    /(?<![\w/.-])(\d{1,2})\.(\d{1,2})\.(\d{4})(?![\w/])/g,
    ([, day, month, year]) => [dayKey(year, month, day)],
  ],
  [
    /(?<![\w/.-])(\d{1,2})\/(\d{1,2})\/(\d{4})(?![\w/])/g,
    ([, one, other, year]) => [dayKey(year, one, other), dayKey(year, other, one)],
  ],
  [/\bQ([1-4])[ /-]?(\d{4})?\b/g, ([, quarter, year]) => [quarterKey(quarter, year)]],
  [
    /(?<![\d:.])(\d{1,2})(?::(\d{2}))? ?([ap])\.?m\b\.?/gi,
    ([, hour, minute, half]) => [timeKey(hour, minute, half?.toLowerCase() === 'p')],
  ],
  [
    /(?<![\d:.]|[A-Za-z/_-](?<!T))(\d{1,2}):(\d{2})(?::\d{2})?(?![\d:\w])/g,
    ([, hour, minute]) => [timeKey(hour, minute, false)],
  ],
  [
    /(上午|中午|下午|晚上|早上|凌晨)? ?(?<!\d)(\d{1,2}) ?[点點](?:(半)|(\d{1,2}) ?分?)?(?!\d)/g,
    ([, part, hour, half, minute]) => [
      timeKey(hour, half === undefined ? minute : '30', part === '下午' || part === '晚上'),
    ],
  ],
  [
    /\b(?:by|on|until|before|after|next|this|every|from|till)(?: the)? ((?:Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)days?)\b/gi,
    ([, day]) => [`weekday:${WEEKDAYS.indexOf(day?.slice(0, 3).toLowerCase() ?? '')}`],
  ],
  [
    /(?:下|本|这|每)?个?(?:周|星期|礼拜)([一二三四五六日天])/g,
    ([, day]) => [`weekday:${day === '天' ? 0 : CHINESE_WEEKDAYS.indexOf(day ?? '')}`],
  ],
];

export function findDates(searched: SearchedText): void {
  for (const [pattern, keysOf] of DATES) {
    for (const match of searched.matches(pattern)) {
      const text = match[0].trimEnd().replace(/[.,]$/, '');
      const keys = keysOf(match).filter((key) => key !== '');
      if (keys.length > 0) searched.add({ kind: 'date', text, keys, start: match.index });
    }
  }
}

/** A full date says also what its shorter forms say. */
export function shorterDateKeys(key: string): readonly string[] {
  const parts = /^day:(\d{4})-(\d{2})-(\d{2})$/.exec(key);
  if (parts === null) return [];
  const [, year, month, day] = parts;
  return [dayKey('', month, day), monthKey(year, month)];
}

function expression(source: string): RegExp {
  return new RegExp(source, 'gi');
}

function numberOf(month: string | undefined): string {
  return String(MONTHS.indexOf(month?.slice(0, 3).toLowerCase() ?? '') + 1);
}

function dayKey(year = '', month = '', day = ''): string {
  const isDay = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31;
  return isDay ? `day:${year || '-'}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : '';
}

function monthKey(year = '', month = ''): string {
  return Number(month) >= 1 && Number(month) <= 12 ? `month:${year}-${month.padStart(2, '0')}` : '';
}

function quarterKey(quarter = '', year = ''): string {
  const place = '一二三四'.indexOf(quarter);
  return `quarter:${year}-${place < 0 ? quarter : place + 1}`;
}

function timeKey(hour = '', minute = '00', isAfternoon: boolean): string {
  const hours = Number(hour) + (isAfternoon && Number(hour) < 12 ? 12 : 0);
  const isTime = hours <= 24 && Number(minute) <= 59;
  return isTime ? `time:${hours}:${minute.padStart(2, '0')}` : '';
}
