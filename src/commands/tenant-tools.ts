import { Injectable } from '@nestjs/common';
import type { RegisteredTools } from '../domain/tenant/tools.js';
import { TenantRepository } from './tenant-repository.js';

/** What a tenant has registered about its tools, as it is now. */
@Injectable()
export class TenantTools {
  constructor(private readonly tenants: TenantRepository) {}

  async of(tenantId: string): Promise<RegisteredTools> {
    return (await this.tenants.current(tenantId)).tools;
  }
}
