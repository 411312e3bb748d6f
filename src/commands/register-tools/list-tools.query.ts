import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Rejection } from '../../domain/rejection.js';
import type { ToolManifest } from '../../domain/tool-manifest.js';
import { TenantRepository } from '../tenant-repository.js';
import { own } from '../../domain/own.js';

/** The newest manifest of each tool, by name; or every version of one, the newest first. */
export class ListTools extends Query<readonly ToolManifest[]> {
  constructor(
    readonly tenantId: string,
    readonly name?: string,
  ) {
    super();
  }
}

@QueryHandler(ListTools)
export class ListToolsHandler implements IQueryHandler<ListTools, readonly ToolManifest[]> {
  constructor(private readonly tenants: TenantRepository) {}

  async execute({ tenantId, name }: ListTools): Promise<readonly ToolManifest[]> {
    const registered = (await this.tenants.current(tenantId)).tools;
    if (name === undefined) {
      return Object.keys(registered)
        .sort()
        .flatMap((one) => own(registered, one)?.at(-1) ?? []);
    }
    const versions = own(registered, name);
    if (versions === undefined) {
      throw new Rejection('not_found', `no tool ${name} is registered`, { name });
    }
    return [...versions].reverse();
  }
}
