/** How the server asks a target, as a tool's author describes it: declarative, no code. */
export interface HttpRequestTemplate {
  /** POST only where the author says that it changes nothing, or to make a key unusable. */
  readonly method: 'GET' | 'HEAD' | 'POST';
  /** `https://host/path/{opKey}?ref={externalRef}`; values fill path segments and query values. */
  readonly urlTemplate: string;
  /** A text, or the name of a secret of the installation. */
  readonly headers?: Readonly<Record<string, string | { readonly secret: string }>>;
}

/** What may stand in a template. */
export interface TemplateValues {
  readonly opKey: string;
  readonly externalRef?: string;
}

const PLACEHOLDER = /\{([^{}]*)\}/g;
const NAMES = ['opKey', 'externalRef'];
const URL_CHARACTERS_MAX = 2_048;
const VALUE_CHARACTERS_MAX = 256;

/**
 * The address with its values, each encoded as one path segment or one query value; undefined when
 * a value is missing or cannot stand in an address. Values come from tools and are not trusted.
 */
export function filledUrl(template: string, values: TemplateValues): string | undefined {
  let isUsable = true;
  const text = template.replaceAll(PLACEHOLDER, (_, name: string) => {
    const value = name === 'opKey' ? values.opKey : values.externalRef;
    const encoded = value === undefined ? undefined : encodedValue(value);
    if (encoded === undefined) isUsable = false;
    return encoded ?? '';
  });
  if (!isUsable || text.length > URL_CHARACTERS_MAX) return undefined;
  return shapeOf(text) === shapeOf(sample(template)) ? text : undefined;
}

export function needsExternalRef({ urlTemplate }: HttpRequestTemplate): boolean {
  return urlTemplate.includes('{externalRef}');
}

function encodedValue(value: string): string | undefined {
  if (value === '' || value === '.' || value === '..') return undefined;
  // A lone surrogate has no encoding.
  if (value.length > VALUE_CHARACTERS_MAX || /\p{Surrogate}/u.test(value)) return undefined;
  return encodeURIComponent(value).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Scheme, host, port, depth of the path and names of the query: what no value may change. */
function shapeOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, pathname, searchParams, hash, username, password } = new URL(text);
  const names = [...searchParams.keys()];
  return JSON.stringify([origin, pathname.split('/').length, names, hash, username, password]);
}

function sample(template: string): string {
  return template.replaceAll(PLACEHOLDER, 'x');
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * What is wrong with a request template, in words; `at` is its name in the manifest. The address has
 * to name the operation, unless a body does.
 */
export function requestFaults(
  value: Fields,
  at: string,
  { namesOperation }: { readonly namesOperation: boolean },
): readonly string[] {
  const { method, urlTemplate, headers } = value;
  const faults: string[] = [];
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') {
    faults.push(`${at}.method must be GET, HEAD or POST`);
  }
  faults.push(
    ...(typeof urlTemplate === 'string'
      ? urlFaults(urlTemplate, `${at}.urlTemplate`, namesOperation)
      : [`${at}.urlTemplate must be a text`]),
  );
  if (headers !== undefined) faults.push(...headerFaults(headers, `${at}.headers`));
  return faults;
}

function urlFaults(template: string, at: string, namesOperation: boolean): readonly string[] {
  const names = [...template.matchAll(PLACEHOLDER)].map(([, name]) => name ?? '');
  const faults = names
    .filter((name) => !NAMES.includes(name))
    .map((name) => `${at}: {${name}} is not known; there are {opKey} and {externalRef}`);
  if (namesOperation && !names.includes('opKey') && !names.includes('externalRef')) {
    faults.push(`${at} must name the operation: {opKey} or {externalRef}`);
  }
  const text = sample(template);
  if (!URL.canParse(text) || template.length > URL_CHARACTERS_MAX) {
    return [...faults, `${at} must be an address of at most ${URL_CHARACTERS_MAX} characters`];
  }
  const url = new URL(text);
  const named = new URL(template.replaceAll(PLACEHOLDER, 'y'));
  if (url.protocol !== 'https:' && url.protocol !== 'http:') faults.push(`${at} must be https`);
  if (url.origin !== named.origin) faults.push(`${at}: scheme, host and port are fixed texts`);
  if (url.username !== '' || url.password !== '') faults.push(`${at} must name no user`);
  if (url.hash !== '' || named.hash !== '') faults.push(`${at} must have no #fragment`);
  if ([...url.searchParams.keys()].join('&') !== [...named.searchParams.keys()].join('&')) {
    faults.push(`${at}: values may stand in query values, not in their names`);
  }
  return faults;
}

/** Set by the connection itself, or able to carry credentials in clear into the log of events. */
const FORBIDDEN_HEADER =
  /^(host|connection|content-length|transfer-encoding|te|trailer|upgrade|expect|cookie|proxy-.*)$/i;
const SECRET_HEADER = /^(authorization|.*(key|token|secret|password).*)$/i;

function headerFaults(headers: unknown, at: string): readonly string[] {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) {
    return [`${at} must be an object of header names`];
  }
  return Object.entries(headers).flatMap(([name, value]: [string, unknown]) => {
    if (!/^[A-Za-z0-9-]{1,64}$/.test(name)) return [`${at}: ${JSON.stringify(name)} is no name`];
    if (FORBIDDEN_HEADER.test(name)) return [`${at}.${name} cannot be set`];
    if (isSecretName(value)) return [];
    if (typeof value !== 'string' || !/^[\x20-\x7e]{0,256}$/.test(value)) {
      return [`${at}.${name} must be a short text or {"secret": "name"}`];
    }
    return SECRET_HEADER.test(name)
      ? [`${at}.${name} must be {"secret": "name"}: what stands here is stored as it is`]
      : [];
  });
}

function isSecretName(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { secret, ...rest } = value as Fields;
  return (
    typeof secret === 'string' &&
    /^[A-Za-z0-9._-]{1,128}$/.test(secret) &&
    Object.keys(rest).length === 0
  );
}
