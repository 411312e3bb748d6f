import { Inject, Injectable, Logger } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { DEFAULT_TENANT } from '../identity/default-tenant.js';
import { Denials } from '../audit/denials.js';
import { AccessKeys } from '../commands/access-keys/access-keys.js';
import type { Configuration } from '../config/configuration.js';
import { accessScopes, scopesOf } from '../domain/access/access-scopes.js';
import { readAccessKey } from '../identity/access-key-text.js';
import { CLOCK, CONFIGURATION, type Clock, KEY_CHECK, type KeyCheck } from '../tokens.js';
import { type Principal, operationOf } from './principal.js';
import { ProblemError } from './problem.js';
import { RequestCount } from './request-count.js';
import { TokenVerifier } from './token-verifier.js';

const FAILURES_A_MINUTE = 10;
/** Longer ones are not looked at; a token may have 8 KiB. */
const BEARER = /^Bearer ([\x21-\x7e]{1,8192})$/i;

/** Who the key or the token of a request stands for. */
@Injectable()
export class Authentication {
  private readonly log = new Logger(Authentication.name);
  /** A right credential is never held up by wrong ones. */
  private readonly failed = new RequestCount(FAILURES_A_MINUTE, 60_000);
  private readonly requests: RequestCount;

  constructor(
    @Inject(KEY_CHECK) private readonly isInstallationKey: KeyCheck,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly keys: AccessKeys,
    private readonly tokens: TokenVerifier,
    private readonly denials: Denials,
    @Inject(CONFIGURATION) { tenantRequestsPerSecond }: Configuration,
  ) {
    this.requests = new RequestCount(tenantRequestsPerSecond, 1_000);
  }

  /**
   * Whether this `Authorization` still stands for somebody. Nobody asks for anything with it, so it counts as
   * no request and as no attempt.
   * @throws StoreUnavailableError
   */
  async isGood(authorization: string | undefined): Promise<boolean> {
    const credential = credentialIn(authorization);
    return credential !== undefined && (await this.opened(credential)) !== undefined;
  }

  /** @throws ProblemError `unauthenticated`, `too_many_requests`; StoreUnavailableError. */
  async principalOf(request: FastifyRequest): Promise<Principal> {
    const credential = credentialIn(request.headers.authorization);
    const principal = credential === undefined ? undefined : await this.opened(credential);
    if (principal !== undefined) {
      this.holdBack(principal);
      return principal;
    }
    void this.recordWrongSecret(request, credential);
    throw this.refusal(request.ip, credential);
  }

  /** A tenant that asks for more than its share waits, and not the others. */
  private holdBack({ tenantId }: Principal): void {
    const retryAfterMs = this.requests.note(tenantId, this.clock());
    if (retryAfterMs === 0) return;
    const detail = 'this tenant has sent its number of requests for this second; wait for the next';
    throw new ProblemError('too_many_requests', detail, { retryAfterMs });
  }

  /** In the trail of the tenant whose key was tried; what no tenant has is nobody's. */
  private async recordWrongSecret(request: FastifyRequest, credential = ''): Promise<void> {
    const tried = readAccessKey(credential);
    if (tried === undefined) return;
    const { keyId, tenantId } = tried;
    try {
      if (!(await this.keys.exists(tenantId, keyId))) return;
      const sender = { tenantId, actor: `key:${keyId}` };
      this.denials.note(sender, { reason: 'wrongSecret', ...operationOf(request) });
    } catch (error) {
      this.log.error(`a wrong key was not recorded: ${String(error)}`);
    }
  }

  private async opened(credential: string): Promise<Principal | undefined> {
    if (this.isInstallationKey(credential)) {
      return { tenantId: DEFAULT_TENANT, actor: 'local', scopes: new Set(accessScopes) };
    }
    const opened = await this.keys.open(credential);
    if (opened === undefined) return this.tokens.open(credential);
    const { tenantId, key } = opened;
    return { tenantId, actor: `key:${key.keyId}`, scopes: scopesOf(key.roles) };
  }

  private refusal(source: string, credential: string | undefined): ProblemError {
    const keyId = credential === undefined ? undefined : readAccessKey(credential)?.keyId;
    const waitMs = this.failed.note(`${source} ${keyId ?? ''}`, this.clock());
    if (waitMs > 0) {
      return new ProblemError('too_many_requests', 'too many wrong keys; wait before the next', {
        retryAfterMs: waitMs,
      });
    }
    this.log.warn(`a request without a valid key was refused${keyId ? `: ${keyId}` : ''}`);
    return new ProblemError(
      'unauthenticated',
      credential === undefined
        ? 'send the key as "Authorization: Bearer <key>"; `holdfast doctor` says where it is'
        : 'this key opens nothing here: it is mistyped, revoked, expired or of another installation',
    );
  }
}

function credentialIn(authorization: string | undefined): string | undefined {
  return BEARER.exec(authorization ?? '')?.[1];
}
