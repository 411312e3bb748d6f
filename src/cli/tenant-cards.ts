import 'reflect-metadata';
import { openPorts } from '../app/open-ports.js';
import { memoryPorts } from '../app/memory-ports.js';
import { TenantPrices } from '../commands/tenant-prices.js';
import { TenantRepository } from '../commands/tenant-repository.js';
import { loadConfiguration } from '../config/load-configuration.js';
import { hasStore } from './has-store.js';

/**
 * The cards that a recording would be priced by: the built-in ones, and the tenant's own when
 * there is a store of events. No data folder is made where there is none.
 */
export async function withPrices<T>(
  work: (prices: TenantPrices, tenantId: string) => Promise<T>,
  { builtInOnly = false } = {},
): Promise<T> {
  const configuration = loadConfiguration(process.env);
  const ports =
    hasStore(configuration) && !builtInOnly ? await openPorts(configuration) : memoryPorts();
  try {
    const prices = new TenantPrices(new TenantRepository(ports.events));
    return await work(prices, configuration.tenant);
  } finally {
    await ports.close();
  }
}
