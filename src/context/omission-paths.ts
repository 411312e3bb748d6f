const EXTENSIONS = new Set(
  'ts tsx js jsx mjs cjs json jsonl yml yaml toml ini cfg conf env md mdx txt csv tsv xml html css scss sql py go rs java kt swift rb php c h cc cpp hpp cs sh bash zsh ps1 bat lock log pem key crt pdf doc docx xls xlsx ppt pptx png jpg jpeg gif svg webp mp3 mp4 zip gz tar tgz jar war db sqlite parquet proto graphql gradle properties tf vue svelte ipynb plist service tmpl patch diff bak'.split(
    ' ',
  ),
);
const ROOTS = new Set(
  'src cmd lib app apps test tests docs packages internal pkg etc usr var home bin api scripts config public assets server client'.split(
    ' ',
  ),
);
const LIBRARIES = /^(?:node|next|vue|nuxt|express|three|d3|chart|moment|react|backbone)\.js$/i;

/** The path that a word is, without line numbers; undefined if it is none. */
export function pathIn(token: string, isQuoted: boolean): string | undefined {
  const path = token.replace(/^@/, '').replace(/:\d{1,7}(?:[-:]\d{1,7})?$/, '');
  if (/^(?:[A-Za-z]:[\\/]|\\\\)[^:]+$/.test(path)) return path;
  if (path.includes('\\') || path.includes('://') || path.includes(':')) return undefined;
  const body = path.replace(/^(?:~|\.{1,2}|\/)\//, '/');
  if (path.startsWith('//') || path.includes('?') || path.includes('#')) return undefined;
  if (/^\/[\w.@-]/.test(body)) return /[A-Za-z]{2}/.test(body) ? path : undefined;
  if (path.includes('/')) return isRelative(path, isQuoted) ? path : undefined;
  return isFileName(path) ? path : undefined;
}

/** Both kinds of slash, quotes and the letter case make no other path. */
export function pathKey(path: string): string {
  const plain = path
    .replaceAll('\\', '/')
    .replace(/^\.\//, '')
    .replace(/(?<!\/)\/+$/, '');
  return `path:${plain.toLowerCase()}`;
}

function isRelative(path: string, isQuoted: boolean): boolean {
  const parts = path.replace(/\/$/, '').split('/');
  if (!parts.every((part) => /^[\w.@+~-]+$/.test(part))) return false;
  if (!/[A-Za-z]{2}/.test(path)) return false;
  if (isFileName(parts.at(-1)!) || isQuoted || path.endsWith('/')) return true;
  if (/^[\w.]*\d\w*[-_]\w+$/.test(parts.at(-1)!)) return true;
  const isTechnical = ROOTS.has(parts[0]!) || parts.some((part) => /[._\d-]/.test(part));
  return (
    isTechnical &&
    (parts.length > 2 ||
      /^(?:feature|fix|hotfix|release|bugfix|chore|origin)$/.test(parts[0]!) ||
      ROOTS.has(parts[0]!))
  );
}

function isFileName(name: string): boolean {
  if (name === 'Dockerfile' || name === 'Makefile') return true;
  if (/^\.[a-z][\w.-]*[a-z]$/.test(name)) {
    return name === '.env' || !EXTENSIONS.has(name.slice(1));
  }
  const dot = name.lastIndexOf('.');
  if (dot < 1 || LIBRARIES.test(name)) return false;
  return /^[\w.@+-]+$/.test(name) && EXTENSIONS.has(name.slice(dot + 1).toLowerCase());
}
