import type { AppInProcess } from './app-in-process.js';

export interface GraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: { readonly code: string; readonly status: number } & Readonly<
    Record<string, unknown>
  >;
}

export interface GraphqlAnswer {
  readonly status: number;
  readonly text: string;
  readonly data?: Readonly<Record<string, never>> | null;
  readonly errors?: readonly GraphqlError[];
}

export interface GraphqlSending {
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly key?: string | null;
}

/** Sends one operation as any client does. */
export async function graphql(
  { http }: Pick<AppInProcess, 'http'>,
  query: string,
  { variables, key }: GraphqlSending = {},
): Promise<GraphqlAnswer> {
  const body = { query, variables };
  const { status, text } = await http.send('POST', '/graphql', { body, key });
  return { status, text, ...(JSON.parse(text) as Omit<GraphqlAnswer, 'status' | 'text'>) };
}

/** The data of an operation that must be answered. */
export async function graphqlData<Data>(
  app: Pick<AppInProcess, 'http'>,
  query: string,
  sending: GraphqlSending = {},
): Promise<Data> {
  const { data, errors, text } = await graphql(app, query, sending);
  if (errors !== undefined || !data) throw new Error(text);
  return data as unknown as Data;
}
