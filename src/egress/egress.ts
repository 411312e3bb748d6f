import { createHmac } from 'node:crypto';
import { EgressError } from './egress-error.js';
import type { EgressPolicy } from './egress-policy.js';
import type { SecretReader } from './egress-secrets.js';
import { type Resolver, systemResolver } from './pinned-lookup.js';
import { RequestQuota } from './request-quota.js';
import { type EgressAnswer, sendRequest } from './send-request.js';

/** What somebody wants to send; a header is a text or the name of a secret. */
export interface EgressRequest {
  readonly tenantId: string;
  readonly url: string;
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly headers?: Readonly<Record<string, string | { readonly secret: string }>>;
  /** JSON text. */
  readonly body?: string;
  /** Proves to the receiver who has sent the body and when: see `signatureOf`. */
  readonly signed?: { readonly secret: string; readonly atSeconds: number };
}

export const SIGNATURE_HEADER = 'Holdfast-Signature';

const URL_CHARACTERS_MAX = 4_096;

/**
 * The only way out: every request that the server sends goes through here. What may be reached is
 * the operator's list; where a name leads is checked; secrets are put in last, for their own origin.
 */
export class Egress {
  private readonly quota = new RequestQuota();

  constructor(
    private readonly policy: EgressPolicy,
    private readonly secrets: SecretReader,
    private readonly resolver: Resolver = systemResolver,
  ) {}

  allows(url: string): boolean {
    return URL.canParse(url) && this.policy.origins.has(new URL(url).origin);
  }

  /** @throws EgressError when there is no answer that may be used. */
  async send(request: EgressRequest): Promise<EgressAnswer> {
    const url = this.checkedUrl(request.url);
    this.quota.take(request.tenantId, url.host);
    const headers = await this.headersFor(request, url.origin);
    const { method, body } = request;
    return sendRequest({ url, method, headers, body }, this.policy, this.resolver);
  }

  private checkedUrl(text: string): URL {
    if (text.length > URL_CHARACTERS_MAX || !URL.canParse(text)) {
      throw new EgressError('badUrl', 'too long, or no address');
    }
    const url = new URL(text);
    if (url.username !== '' || url.password !== '' || url.hostname.endsWith('.')) {
      throw new EgressError('badUrl', 'a user name, a password or a dot behind the host');
    }
    if (!this.policy.origins.has(url.origin)) {
      throw new EgressError(
        'originNotAllowed',
        `${url.origin} is not listed in HOLDFAST_EGRESS_ORIGINS`,
      );
    }
    return url;
  }

  private async headersFor(
    { headers = {}, body, signed }: EgressRequest,
    origin: string,
  ): Promise<Readonly<Record<string, string>>> {
    const filled: Record<string, string> = {};
    if (body !== undefined) filled['Content-Type'] = 'application/json';
    for (const [name, value] of Object.entries(headers)) {
      filled[name] = typeof value === 'string' ? value : await this.secrets(value.secret, origin);
    }
    if (signed !== undefined) {
      const secret = await this.secrets(signed.secret, origin);
      filled[SIGNATURE_HEADER] = signatureOf(secret, signed.atSeconds, body ?? '');
    }
    return filled;
  }
}

/** `t=<seconds>,v1=<hex>`: HMAC-SHA-256 of `<seconds>.<body>`. */
export function signatureOf(secret: string, atSeconds: number, body: string): string {
  const mac = createHmac('sha256', secret).update(`${atSeconds}.${body}`).digest('hex');
  return `t=${atSeconds},v1=${mac}`;
}
