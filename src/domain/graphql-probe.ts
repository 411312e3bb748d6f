type Fields = Readonly<Record<string, unknown>>;

const QUERY_CHARACTERS_MAX = 8_192;
const STRINGS_AND_COMMENTS = /"""[^]*?"""|"(?:[^"\\\n]|\\.)*"|#[^\n]*/g;
const AT = 'httpProbe.graphql';

/** What is wrong with a GraphQL query as somebody wrote it; it must not be able to change anything. */
export function graphqlFaults(query: unknown, { method, headers }: Fields): readonly string[] {
  if (typeof query !== 'string' || query.length > QUERY_CHARACTERS_MAX) {
    return [`${AT} must be a query of at most ${QUERY_CHARACTERS_MAX} characters`];
  }
  const faults: string[] = [];
  const text = query.replaceAll(STRINGS_AND_COMMENTS, ' ');
  const isQuery = /^\s*(query\b|\{)/.test(text);
  if (!isQuery || /\b(mutation|subscription)\b/.test(outsideOfBraces(text))) {
    faults.push(`${AT} must be a query: it begins with "query" or "{", and changes nothing`);
  }
  if (!/\$(opKey|externalRef)\b/.test(text)) {
    faults.push(`${AT} must ask for the operation: use $opKey or $externalRef`);
  }
  if (method !== 'POST') faults.push('httpProbe.method must be POST for a GraphQL query');
  const names = Object.keys((headers ?? {}) as Fields).map((name) => name.toLowerCase());
  if (names.includes('content-type')) faults.push('httpProbe.headers: the query is sent as JSON');
  return faults;
}

/** Where operations are declared, and their names and variables. */
function outsideOfBraces(text: string): string {
  let depth = 0;
  let outside = '';
  for (const character of text) {
    if (character === '}') depth -= 1;
    if (depth === 0) outside += character;
    if (character === '{') depth += 1;
  }
  return outside;
}

export interface QueryValues {
  readonly opKey: string;
  readonly externalRef?: string;
}

/** The request's JSON body. Only declared variables may be sent. */
export function graphqlBody(query: string, values: QueryValues): string {
  const used = Object.entries(values).filter(
    ([name, value]) => value !== undefined && new RegExp(`\\$${name}\\b`).test(query),
  );
  return JSON.stringify({ query, variables: Object.fromEntries(used) });
}
