import { Injectable } from '@nestjs/common';
import type { RegisteredTools } from '../domain/tenant/tools.js';
import type { PriceCards } from '../pricing/card-index.js';
import type { TenantState } from '../domain/tenant/tenant.js';
import { TenantPrices } from './tenant-prices.js';
import { TenantRepository } from './tenant-repository.js';

/** What a recording takes from its tenant. */
export interface TenantFacts {
  /** Undefined when they cannot be read, or nothing of the request has a price. */
  readonly cards?: PriceCards;
  /** Undefined when they cannot be read. */
  readonly tools?: RegisteredTools;
  /** Undefined when it cannot be read, or nothing of the request needs it. */
  readonly tenant?: TenantState;
}

@Injectable()
export class TenantFactsReader {
  constructor(
    private readonly prices: TenantPrices,
    private readonly tenants: TenantRepository,
  ) {}

  async forRecording(tenantId: string): Promise<TenantFacts> {
    const tenant = await this.tenants.currentIfReadable(tenantId);
    if (tenant === undefined) return {};
    return { cards: this.prices.cardsIn(tenantId, tenant), tools: tenant.tools, tenant };
  }
}
