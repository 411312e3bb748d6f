import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { ToolDeclaration, ToolManifest } from '../../domain/tool-manifest.js';
import { newestManifest } from '../../domain/tenant/tools.js';
import { ManifestCheck } from '../manifest-check.js';
import { TenantHandling, type TenantSender } from '../tenant-handling.js';
import { TenantRepository } from '../tenant-repository.js';

/** A manifest with its version; `added: false` when the newest version says the same. */
export type RegisteredTool = ToolManifest & { readonly added: boolean };

export class RegisterTools extends Command<readonly RegisteredTool[]> {
  constructor(
    readonly sender: TenantSender,
    readonly tools: readonly ToolDeclaration[],
  ) {
    super();
  }
}

/** New versions for the tenant, all or none. Calls that were requested before keep what they have. */
@CommandHandler(RegisterTools)
export class RegisterToolsHandler implements ICommandHandler<
  RegisterTools,
  readonly RegisteredTool[]
> {
  constructor(
    private readonly check: ManifestCheck,
    private readonly handling: TenantHandling,
    private readonly tenants: TenantRepository,
  ) {}

  /** @throws Rejection `invalid_manifest` with every fault, `limit_exceeded`. */
  async execute({ sender, tools }: RegisterTools): Promise<readonly RegisteredTool[]> {
    const manifests = this.check.complete(tools);
    const { events } = await this.handling.handle(sender, { type: 'RegisterTools', manifests });
    const added = new Set(
      events.flatMap((event) =>
        event.type === 'ToolManifestRegistered' ? [event.data.manifest.name] : [],
      ),
    );
    const { tools: all } = await this.tenants.current(sender.tenantId);
    return manifests.map((manifest) => ({
      ...(newestManifest(all, manifest.name) ?? manifest),
      added: added.has(manifest.name),
    }));
  }
}
