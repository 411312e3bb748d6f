import { Inject, Injectable } from '@nestjs/common';
import type { Configuration } from '../../config/configuration.js';
import { NO_POLICY } from '../../domain/redaction/redaction-policy.js';
import { Redactor } from '../../redaction/redactor.js';
import { RedactionRules } from '../../redaction/redaction-rules.js';
import {
  CLOCK,
  CONFIGURATION,
  type Clock,
  HASHER,
  MONOTONIC,
  type SessionHasher,
} from '../../tokens.js';
import { TenantRepository } from '../tenant-repository.js';

/** Until then another process may have set another policy. */
export const POLICY_REMEMBERED_MS = 10_000;
const TENANTS_MAX = 1_000;

interface Remembered {
  readonly rules: RedactionRules;
  readonly untilMs: number;
}

/** What masks secrets in the content of each tenant's sessions. */
@Injectable()
export class TenantRedaction {
  private readonly remembered = new Map<string, Remembered>();
  private readonly isOn: boolean;

  constructor(
    @Inject(CONFIGURATION) { redaction }: Configuration,
    @Inject(HASHER) private readonly hasher: SessionHasher,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(MONOTONIC) private readonly monotonic: Clock,
    private readonly tenants: TenantRepository,
  ) {
    this.isOn = redaction === 'on';
  }

  /** For what is to be appended; undefined: the operator has switched it off. */
  async beforeAppend(owner: OfSession): Promise<Redactor | undefined> {
    if (!this.isOn) return undefined;
    const { tenantId, sessionId } = owner;
    const rules = await this.rulesOf(tenantId);
    const hmac = await this.hasher(tenantId, sessionId);
    return new Redactor({ rules, hmac, nowMs: this.monotonic });
  }

  /** For what leaves the store, wherever it came from; what it finds is not to be kept. */
  async forReading(tenantId: string): Promise<Redactor> {
    const rules = await this.rulesOf(tenantId);
    return new Redactor({ rules, hmac: (secret) => secret, nowMs: this.monotonic });
  }

  /** The next use reads the policy again. */
  forget(tenantId: string): void {
    this.remembered.delete(tenantId);
  }

  private async rulesOf(tenantId: string): Promise<RedactionRules> {
    const now = this.clock();
    const known = this.remembered.get(tenantId);
    if (known !== undefined && now < known.untilMs) return known.rules;
    const tenant = await this.tenants.currentIfReadable(tenantId);
    const rules = new RedactionRules(tenant?.redaction ?? NO_POLICY);
    if (this.remembered.size >= TENANTS_MAX) this.remembered.clear();
    this.remembered.set(tenantId, { rules, untilMs: now + POLICY_REMEMBERED_MS });
    return rules;
  }
}

interface OfSession {
  readonly tenantId: string;
  readonly sessionId: string;
}
