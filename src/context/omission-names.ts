import type { FoundItem, SearchedText } from './omission-item.js';
import { pathKey, pathIn } from './omission-paths.js';

const TOKEN = /[A-Za-z0-9_.~/\\:@#+%$&?!^-]+/g;
const TOKEN_CHARACTERS_MAX = 300;
/** Most words: told apart first, since the questions below are many. */
const PLAIN_WORD = /^(?!Dockerfile|Makefile)[A-Za-z]?[a-z]*[.,:;!?]*$/;
const URL =
  /\b(?:https?|ftp|ssh|git|wss?|s3|gs|postgres(?:ql)?|mysql|redis|mongodb|file):\/\/[^\s<>"'`{}|\\^[\]（）【】「」《》，。；：！？、\u3040-\u30ff\u4e00-\u9fff]{1,1000}/gi;
const BARE_URL =
  /^(?:www\.)?(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|app|cn|de|fr|uk|eu|jp|ai|gov|edu)(?::\d+)?(?:\/\S*)?$/i;

const PRODUCTS =
  'version|Version|release|node|Node(?:\\.js)?|Python|python|Java|JDK|Go|Ruby|PHP|Rust|Postgres(?:QL)?|postgres|MySQL|Redis|React|Next(?:\\.js)?|Vue|Angular|TypeScript|Django|Rails|Spring Boot|Kubernetes|Ubuntu|Debian|Android|iOS|macOS|Windows|\\.NET|Kafka|Terraform|Docker|Electron|Swift|Kotlin|npm|pnpm|Chrome|Tailwind(?: CSS)?|Jest|NumPy|pandas|CUDA|OpenSSL|MongoDB|Elasticsearch|SQLite|Gradle|Maven|Flutter|ESLint|webpack|Vite|版本号?';
const VERSION_OF = new RegExp(
  `(?<![\\w/.])(?:${PRODUCTS})(?: ?(?:is|to|:|：|为|是|升级到|>=|≥))? ?[v^~]?(\\d{1,4}(?:\\.\\d{1,5}){0,3}(?:-[a-z]+[\\w.]{0,20})?)(?![\\w%/-]|\\.\\d|[,.]?\\d| ?(?:days|hours|minutes|seconds|times|users|年|月|天))`,
  'g',
);
const CHINESE_VERSION = /(?<![\w.])[vV]?(\d{1,4}(?:\.\d{1,5}){1,3}) ?版/g;

const NUMBERED =
  /\b(?:order|invoice|ticket|issue|PR|MR|pull request|case|account|customer|contract|claim|bug|build|job|batch|port|room|seat|gate|flight|booking|reservation|reference|policy|card|ID)s?(?: (?:no\.?|number|id|ending in|ending))?(?: is)?:? ?#?([A-Z]{0,6}-?\d[A-Za-z0-9-]{0,40})(?![\w%-]|[.,]\d)/gi;
const CHINESE_NUMBERED =
  /(?:订单|工单|发票|合同|账号|账户|编号|单号|案件|客户|端口|航班|房间|尾号|卡号|流水|票|运单|学号|工号)(?:号码|编号|号)?(?:[为是]|：|:|#| ){0,3}([A-Za-z]{0,6}[-_]?\d[A-Za-z0-9-]{0,30})(?![\w%]|[.,]\d| ?[天元个小分秒年月])/g;

/** Words that look like code names or ids and are neither. */
const ORDINARY = new Set(
  'github gitlab javascript typescript postgresql mysql mongodb youtube linkedin openai wechat macos ios iphone ipad graphql nodejs devops saas sha256 sha512 sha1 base64 utf8 int64 float64 oauth2 http2 win32 python3 x86_64 arm64 paypal powerpoint dropbox bigquery nestjs nextjs javadoc latex readme ebay whatsapp todo dynamodb fastapi'.split(
    ' ',
  ),
);
const STANDARDS = /^(?:UTF|SHA|ISO|COVID|AES|HTTP|TLS|RFC|MD|RSA|WCAG|ES|GPT)-/i;

export function findUrls(searched: SearchedText): void {
  for (const match of searched.matches(URL)) {
    const text = withoutTrail(match[0]);
    searched.add({ kind: 'url', text, keys: [urlKey(text)], start: match.index });
  }
}

/** Numbers that a word before them makes a version or the number of a thing. */
export function findNumbered(searched: SearchedText): void {
  for (const expression of [VERSION_OF, CHINESE_VERSION]) {
    for (const match of searched.matches(expression)) {
      add(searched, match, 'version', `version:${versionNumber(match[1]!)}`);
    }
  }
  for (const expression of [NUMBERED, CHINESE_NUMBERED]) {
    for (const match of searched.matches(expression)) {
      add(searched, match, 'identifier', `name:${match[1]!.toLowerCase()}`);
    }
  }
}

function add(
  searched: SearchedText,
  match: RegExpExecArray,
  kind: 'version' | 'identifier',
  key: string,
): void {
  const text = match[0].trim();
  searched.add({ kind, text, keys: [key], start: match.index + match[0].indexOf(text) });
}

/** What a run of characters without a space is: a path, a version, an identifier, an address. */
export function findNames(searched: SearchedText): void {
  for (const match of searched.matches(TOKEN)) {
    if (match[0].length > TOKEN_CHARACTERS_MAX) continue;
    if (
      PLAIN_WORD.test(match[0]) &&
      !/[`(]/.test(searched.text[match.index + match[0].length] ?? '')
    ) {
      continue;
    }
    const lead = /^[:!?&.,]*(?=[^\s:!?&.,\\/])(?<!\.)|^/.exec(match[0])![0].length;
    const text = withoutTrail(match[0].slice(lead));
    const start = match.index + lead;
    const around = {
      isQuoted: isQuoted(searched.text, start, text.length),
      isCalled: searched.text.startsWith('()', start + text.length),
    };
    // What stands next to an angle bracket is a tag, or the rest of a placeholder.
    const isTag = /[<>]/.test(searched.text[start - 1] ?? '') && text.startsWith('/');
    const found = text === '' || isTag ? undefined : nameIn(text, around);
    if (found !== undefined) searched.add({ ...found, start });
  }
}

/** The normal forms under which a word of a summary may stand for an item. */
export function wordKeys(word: string): readonly string[] {
  const lower = withoutTrail(word)
    .toLowerCase()
    .replace(/^[#@^~]+/, '');
  return [`name:${lower}`, `version:${versionNumber(lower)}`];
}

/** The words of a text, whatever they are. */
export function wordsIn(text: string): readonly string[] {
  return text.match(TOKEN) ?? [];
}

interface Around {
  readonly isQuoted: boolean;
  readonly isCalled: boolean;
}

function nameIn(token: string, around: Around): Omit<FoundItem, 'start'> | undefined {
  if (BARE_URL.test(token) || /^git@[\w.-]+:\S+$/.test(token)) {
    return { kind: 'url', text: token, keys: [urlKey(token)] };
  }
  if (
    /^[vV^~]?\d{1,4}(?:\.\d{1,6}){2}(?:[-+][\w.+-]{1,40})?$|^[vV]\d{1,4}(?:\.\d{1,6})?$/.test(token)
  ) {
    return { kind: 'version', text: token, keys: [`version:${versionNumber(token)}`] };
  }
  const path = pathIn(token, around.isQuoted);
  if (path !== undefined) {
    return { kind: 'path', text: path, keys: [pathKey(path)], isMinor: !/[\\/]/.test(path) };
  }
  const name = token.replace(/^@/, '');
  const keys = [`name:${name.toLowerCase().replace(/^#/, '')}`];
  if (isIdentifier(name)) return { kind: 'identifier', text: name, keys };
  if (
    isCodeName(name) ||
    (around.isCalled && isCallable(name)) ||
    (around.isQuoted && isWord(name))
  ) {
    return { kind: 'identifier', text: name, keys, isMinor: true };
  }
  return undefined;
}

function isIdentifier(name: string): boolean {
  if (ORDINARY.has(name.toLowerCase()) || STANDARDS.test(name)) return false;
  return (
    /^[\w.+-]{1,80}@[\w-]{1,80}\.[\w.-]{1,80}$/.test(name) ||
    /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(name) ||
    (/^(?:sha\d{1,3}:)?(?:[0-9a-f]{7,64}|[0-9A-F]{7,64})$/.test(name) && isMixed(name)) ||
    /^(?:\+?\d{7,20}|\+?\d{1,4}(?:-\d{2,6}){2,4}|#\d{1,9})$/.test(name) ||
    /^[A-Z][A-Z0-9]{0,9}(?:[-_][A-Z0-9]{1,12}){0,3}[-_]\d{1,12}$/.test(name) ||
    /^\d{1,3}(?:\.\d{1,3}){3}(?:[:/]\d{1,5})?$/.test(name) ||
    /^(?:localhost|[a-z][\w-]*(?:\.[\w-]+){1,5}):\d{2,5}$/.test(name) ||
    /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(name) ||
    (/^[a-z]{2,12}_[A-Za-z0-9]{3,64}$/.test(name) && /\d{2}/.test(name)) ||
    (/^[A-Za-z0-9]{6,64}$/.test(name) && isMixed(name) && /\d{3}/.test(name))
  );
}

function isCodeName(name: string): boolean {
  if (ORDINARY.has(name.toLowerCase()) || name.length > 80) return false;
  return (
    /^_{0,2}[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+$/.test(name) ||
    /^[a-z]{2,}[A-Z]\w*$/.test(name) ||
    /^[A-Z]+[a-z0-9]+(?:[A-Z]+[a-z0-9]*)+$/.test(name) ||
    /^--[a-z][\w-]*$/.test(name) ||
    (/^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/.test(name) && /-[a-z]*\d/.test(name)) ||
    (/^[A-Za-z]\w*(?:\.\w+)+$/.test(name) && /_|[a-z][A-Z]/.test(name))
  );
}

function isCallable(name: string): boolean {
  return /^[a-z_]\w*(?:\.\w+)*$/i.test(name) && name.length > 2;
}

function isWord(name: string): boolean {
  return /[A-Za-z]/.test(name) && name.length > 1;
}

function isMixed(name: string): boolean {
  return /\d/.test(name) && /[A-Za-z]/.test(name);
}

function isQuoted(text: string, start: number, length: number): boolean {
  return text[start - 1] === '`' && text[start + length] === '`';
}

function urlKey(url: string): string {
  return `url:${url
    .toLowerCase()
    .replace(/^[a-z0-9]+:\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/+$/, '')}`;
}

function versionNumber(text: string): string {
  return text.toLowerCase().replace(/^[v^~]+/, '');
}

function withoutTrail(token: string): string {
  let end = token.length;
  while (end > 0 && '.,;:!?&*_)'.includes(token[end - 1]!)) end -= 1;
  return token.slice(0, end);
}
