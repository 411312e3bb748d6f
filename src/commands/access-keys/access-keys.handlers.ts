import { Inject } from '@nestjs/common';
import {
  Command,
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  Query,
  QueryHandler,
} from '@nestjs/cqrs';
import type { AccessKey } from '../../domain/access/access-keys.js';
import { makeAccessKey } from '../../identity/access-key-text.js';
import { CLOCK, type Clock } from '../../tokens.js';
import { TenantHandling, type TenantSender } from '../tenant-handling.js';
import { TenantRepository } from '../tenant-repository.js';
import type { AddAccessKeyBody, RotateAccessKeyBody } from './access-key.dto.js';
import { AccessKeys } from './access-keys.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The key as it is kept, and its text, which nobody can read again. */
export interface GivenAccessKey {
  readonly key: AccessKey;
  readonly text: string;
}

export class AddAccessKey extends Command<GivenAccessKey> {
  constructor(
    readonly sender: TenantSender,
    readonly body: AddAccessKeyBody,
  ) {
    super();
  }
}

export class RotateAccessKey extends Command<GivenAccessKey> {
  constructor(
    readonly sender: TenantSender,
    readonly keyId: string,
    readonly body: RotateAccessKeyBody,
  ) {
    super();
  }
}

export class RevokeAccessKey extends Command<void> {
  constructor(
    readonly sender: TenantSender,
    readonly keyId: string,
  ) {
    super();
  }
}

export class ListAccessKeys extends Query<readonly AccessKey[]> {
  constructor(readonly tenantId: string) {
    super();
  }
}

@CommandHandler(AddAccessKey)
export class AddAccessKeyHandler implements ICommandHandler<AddAccessKey, GivenAccessKey> {
  constructor(
    private readonly tenants: TenantHandling,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ sender, body }: AddAccessKey): Promise<GivenAccessKey> {
    const { keyId, text, secretHash } = makeAccessKey(sender.tenantId);
    const key: AccessKey = {
      keyId,
      name: body.name,
      roles: [...new Set(body.roles)],
      secretHash,
      addedBy: sender.actor,
      ...lifeOf(this.clock(), body),
    };
    await this.tenants.handle(sender, { type: 'AddAccessKey', key });
    return { key, text };
  }
}

@CommandHandler(RotateAccessKey)
export class RotateAccessKeyHandler implements ICommandHandler<RotateAccessKey, GivenAccessKey> {
  constructor(
    private readonly tenants: TenantHandling,
    private readonly keys: AccessKeys,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ sender, keyId, body }: RotateAccessKey): Promise<GivenAccessKey> {
    const { text, ...made } = makeAccessKey(sender.tenantId);
    const now = this.clock();
    const { events } = await this.tenants.handle(sender, {
      type: 'RotateAccessKey',
      keyId,
      next: { ...made, addedBy: sender.actor, ...lifeOf(now, body) },
      overlapUntil: isoOf(now + body.overlapHours * HOUR_MS),
    });
    this.keys.forget(keyId);
    const added = events.find((event) => event.type === 'AccessKeyAdded');
    if (added === undefined) throw new TypeError('a rotation adds a key');
    return { key: added.data.key, text };
  }
}

@CommandHandler(RevokeAccessKey)
export class RevokeAccessKeyHandler implements ICommandHandler<RevokeAccessKey, void> {
  constructor(
    private readonly tenants: TenantHandling,
    private readonly keys: AccessKeys,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ sender, keyId }: RevokeAccessKey): Promise<void> {
    const now = isoOf(this.clock());
    await this.tenants.handle(sender, { type: 'RevokeAccessKey', keyId, now });
    this.keys.forget(keyId);
  }
}

@QueryHandler(ListAccessKeys)
export class ListAccessKeysHandler implements IQueryHandler<ListAccessKeys, readonly AccessKey[]> {
  constructor(private readonly tenants: TenantRepository) {}

  async execute({ tenantId }: ListAccessKeys): Promise<readonly AccessKey[]> {
    return (await this.tenants.current(tenantId)).keys;
  }
}

function lifeOf(now: number, { expiresInDays }: { readonly expiresInDays: number }) {
  return { addedAt: isoOf(now), expiresAt: isoOf(now + expiresInDays * DAY_MS) };
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
