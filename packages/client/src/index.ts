import createClient, { type Client, type Middleware } from 'openapi-fetch';
import type { components, paths } from './api-types.js';
import { repeating } from './repeating.js';

/** A refusal: `code` says which, `retryable` whether the same request can succeed later. */
export type Problem = components['schemas']['Problem'];
/** Bodies and answers of the API by the names of its OpenAPI document. */
export type Schemas = components['schemas'];
export type HoldfastClient = Client<paths>;

export interface ClientOptions {
  /** Address of the server, such as http://127.0.0.1:4680. */
  readonly url: string;
  /** An API key or an access token. */
  readonly key: string;
  /** How often a request that got no final answer is sent again. Default 4. */
  readonly repeatsMax?: number;
  readonly fetch?: (request: Request) => Promise<Response>;
}

/**
 * The API as typed functions: `client.POST('/v1/sessions', { body: {} })` gives `{ data }` or
 * `{ error }`, a `Problem`.
 *
 * A request that got no answer, a 429 or a 503 is sent again, the identical one, after the time
 * that the server names. Writes carry an `Idempotency-Key`, so a repetition changes nothing; a
 * request whose repetition could do something twice (a new key, a claim of work) is sent once.
 * @throws TypeError at once when `url` is no http address; as `fetch` does, when there is no answer
 * after all repetitions.
 */
export function holdfastClient(options: ClientOptions): HoldfastClient {
  const { url, key, repeatsMax = 4, fetch: send = globalThis.fetch } = options;
  checkAddress(url);
  const client = createClient<paths>({ baseUrl: url, fetch: repeating(send, repeatsMax) });
  const named: Middleware = {
    onRequest({ request }) {
      request.headers.set('Authorization', `Bearer ${key}`);
      if (request.method !== 'GET' && !request.headers.has('Idempotency-Key')) {
        request.headers.set('Idempotency-Key', crypto.randomUUID());
      }
    },
  };
  client.use(named);
  return client;
}

function checkAddress(url: string): void {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return;
  throw new TypeError(
    `url must be the address of the server, such as http://127.0.0.1:4680, not "${url}"`,
  );
}
