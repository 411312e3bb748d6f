import {
  Command,
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  Query,
  QueryHandler,
} from '@nestjs/cqrs';
import { NO_POLICY, type RedactionPolicy } from '../../domain/redaction/redaction-policy.js';
import { TenantHandling, type TenantSender } from '../tenant-handling.js';
import { TenantRepository } from '../tenant-repository.js';
import { TenantRedaction } from './tenant-redaction.js';

export class SetRedactionPolicy extends Command<void> {
  constructor(
    readonly sender: TenantSender,
    readonly policy: RedactionPolicy,
  ) {
    super();
  }
}

export class ReadRedactionPolicy extends Query<RedactionPolicy> {
  constructor(readonly tenantId: string) {
    super();
  }
}

@CommandHandler(SetRedactionPolicy)
export class SetRedactionPolicyHandler implements ICommandHandler<SetRedactionPolicy, void> {
  constructor(
    private readonly handling: TenantHandling,
    private readonly redaction: TenantRedaction,
  ) {}

  /** Holds here at once, in other processes after `POLICY_REMEMBERED_MS`. */
  async execute({ sender, policy }: SetRedactionPolicy): Promise<void> {
    await this.handling.handle(sender, { type: 'SetRedactionPolicy', policy });
    this.redaction.forget(sender.tenantId);
  }
}

@QueryHandler(ReadRedactionPolicy)
export class ReadRedactionPolicyHandler implements IQueryHandler<
  ReadRedactionPolicy,
  RedactionPolicy
> {
  constructor(private readonly tenants: TenantRepository) {}

  async execute({ tenantId }: ReadRedactionPolicy): Promise<RedactionPolicy> {
    return (await this.tenants.current(tenantId)).redaction ?? NO_POLICY;
  }
}
