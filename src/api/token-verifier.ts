import { Inject, Injectable } from '@nestjs/common';
import {
  createRemoteJWKSet,
  customFetch,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  jwtVerify,
  type ProtectedHeaderParameters,
} from 'jose';
import { ConfigurationError } from '../config/configuration-error.js';
import type { Configuration } from '../config/configuration.js';
import { type Role, roles, scopesOf } from '../domain/access/access-scopes.js';
import { Egress } from '../egress/egress.js';
import { isTenantId } from '../identity/access-key-text.js';
import { CLOCK, CONFIGURATION, type Clock } from '../tokens.js';
import type { Principal } from './principal.js';

const ALGORITHMS = ['EdDSA', 'ES256', 'RS256'];
const TYPES = new Set(['jwt', 'at+jwt']);
/** Places from which a token would bring its own key. */
const FOREIGN_KEYS = ['jku', 'x5u', 'jwk', 'x5c'];
const CLOCK_TOLERANCE_SECONDS = 60;
const KEYS_KEPT_MS = 600_000;
const KEYS_ASKED_EVERY_MS = 30_000;
const SUBJECT = /^[\x21-\x7e]{1,128}$/;
const TOKEN_FORM = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Access tokens of an OpenID Connect provider, where one is configured. */
@Injectable()
export class TokenVerifier {
  private readonly keys?: ReturnType<typeof createRemoteJWKSet>;

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    @Inject(CLOCK) private readonly clock: Clock,
    egress: Egress,
  ) {
    const jwtKeysUrl = keysUrlOf(configuration);
    if (jwtKeysUrl === undefined) return;
    this.keys = createRemoteJWKSet(new URL(jwtKeysUrl), {
      cacheMaxAge: KEYS_KEPT_MS,
      cooldownDuration: KEYS_ASKED_EVERY_MS,
      [customFetch]: (url) => fetchThrough(egress, url),
    });
  }

  /** Undefined for a token that opens nothing here, whatever the reason. */
  async open(token: string): Promise<Principal | undefined> {
    const { keys } = this;
    if (keys === undefined || !TOKEN_FORM.test(token) || !isSound(token)) return undefined;
    const { jwtIssuer, jwtAudience } = this.configuration;
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms: ALGORITHMS,
        issuer: jwtIssuer,
        audience: jwtAudience,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        currentDate: new Date(this.clock()),
        requiredClaims: ['exp', 'sub'],
      });
      return this.principalOf(payload);
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  private principalOf(payload: JWTPayload): Principal | undefined {
    const { jwtTenantClaim, jwtRolesClaim } = this.configuration;
    const tenantId = payload[jwtTenantClaim];
    const { sub } = payload;
    if (typeof tenantId !== 'string' || !isTenantId(tenantId)) return undefined;
    if (sub === undefined || !SUBJECT.test(sub)) return undefined;
    const granted = namesIn(payload[jwtRolesClaim]);
    const known = roles.filter((role): role is Role => granted.includes(role));
    return { tenantId, actor: `user:${sub}`, scopes: scopesOf(known) };
  }
}

/** @throws ConfigurationError when tokens are configured by halves. */
function keysUrlOf(configuration: Configuration): string | undefined {
  const { jwtIssuer, jwtAudience, jwtKeysUrl } = configuration;
  if (jwtIssuer === undefined && jwtAudience === undefined && jwtKeysUrl === undefined) return;
  if (jwtIssuer === undefined || jwtAudience === undefined || jwtKeysUrl === undefined) {
    throw new ConfigurationError([
      {
        variable: 'HOLDFAST_JWT_ISSUER',
        message: 'HOLDFAST_JWT_ISSUER, _AUDIENCE and _KEYS_URL are set together or not at all',
      },
    ]);
  }
  return jwtKeysUrl;
}

/** A list of names, or one text with spaces between them. */
function namesIn(claim: unknown): readonly unknown[] {
  if (typeof claim === 'string') return claim.split(' ');
  return Array.isArray(claim) ? claim : [];
}

/** What the header alone shows; its signature is checked afterwards. */
function isSound(token: string): boolean {
  let header: ProtectedHeaderParameters;
  try {
    header = decodeProtectedHeader(token);
  } catch {
    return false;
  }
  return (
    typeof header.kid === 'string' &&
    TYPES.has(String(header.typ ?? '').toLowerCase()) &&
    FOREIGN_KEYS.every((name) => !(name in header))
  );
}

async function fetchThrough(egress: Egress, url: string): Promise<Response> {
  const { status, body } = await egress.send({
    tenantId: 'authentication',
    url,
    method: 'GET',
    headers: { Accept: 'application/json' },
  });
  return new Response(new Uint8Array(body), { status });
}
