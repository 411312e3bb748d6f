import { Injectable } from '@nestjs/common';
import type { RegisteredTools } from '../domain/tenant/tools.js';
import type { PriceCards } from '../pricing/card-index.js';
import { TenantPrices } from './tenant-prices.js';
import { TenantTools } from './tenant-tools.js';

/** What a recording takes from its tenant. */
export interface TenantFacts {
  /** Undefined when they cannot be read, or nothing of the request has a price. */
  readonly cards?: PriceCards;
  readonly tools: RegisteredTools;
}

@Injectable()
export class TenantFactsReader {
  constructor(
    private readonly prices: TenantPrices,
    private readonly tools: TenantTools,
  ) {}

  async forRecording(tenantId: string): Promise<TenantFacts> {
    const cards = await this.prices.cardsForRecording(tenantId);
    return { cards, tools: await this.tools.of(tenantId) };
  }
}
