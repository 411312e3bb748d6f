import { timingSafeEqual } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { type AccessKey, isGood } from '../../domain/access/access-keys.js';
import { readAccessKey } from '../../identity/access-key-text.js';
import { CLOCK, type Clock } from '../../tokens.js';
import { TenantHandling } from '../tenant-handling.js';
import { TenantRepository } from '../tenant-repository.js';

/** Other processes may revoke a key; that counts here no later than this. */
const REMEMBERED_MS = 5_000;
const REMEMBERED_KEYS_MAX = 10_000;
const NO_HASH = '0'.repeat(64);

export interface OpenedTenant {
  readonly tenantId: string;
  readonly key: AccessKey;
}

interface Remembered {
  readonly key: AccessKey;
  readonly untilMs: number;
}

/** Which tenant a key opens, if any. */
@Injectable()
export class AccessKeys {
  private readonly log = new Logger(AccessKeys.name);
  private readonly remembered = new Map<string, Remembered>();

  constructor(
    private readonly tenants: TenantRepository,
    private readonly handling: TenantHandling,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Undefined for a key that is unknown, wrong, revoked or expired; takes the same steps for each.
   * @throws StoreUnavailableError
   */
  async open(text: string): Promise<OpenedTenant | undefined> {
    const read = readAccessKey(text);
    if (read === undefined) return undefined;
    const { keyId, tenantId, secretHash } = read;
    const key = await this.find(tenantId, keyId);
    const isRight = equal(key?.secretHash ?? NO_HASH, secretHash);
    const now = new Date(this.clock()).toISOString();
    if (key === undefined || !isRight || !isGood(key, now)) return undefined;
    this.noteUse(tenantId, key, now.slice(0, 10));
    return { tenantId, key };
  }

  /** Whether the tenant has such a key, good or not. @throws StoreUnavailableError */
  async exists(tenantId: string, keyId: string): Promise<boolean> {
    return (await this.find(tenantId, keyId)) !== undefined;
  }

  /** The next use reads the key again. */
  forget(keyId: string): void {
    this.remembered.delete(keyId);
  }

  private async find(tenantId: string, keyId: string): Promise<AccessKey | undefined> {
    const now = this.clock();
    const known = this.remembered.get(keyId);
    if (known !== undefined && now < known.untilMs) return known.key;
    const { keys } = await this.tenants.current(tenantId);
    const key = keys.find((one) => one.keyId === keyId);
    if (key === undefined) this.remembered.delete(keyId);
    else this.remember(key, now);
    return key;
  }

  private remember(key: AccessKey, now: number): void {
    if (this.remembered.size >= REMEMBERED_KEYS_MAX) this.remembered.clear();
    this.remembered.set(key.keyId, { key, untilMs: now + REMEMBERED_MS });
  }

  /** To the day, so that it is written once a day; a request does not wait for it. */
  private noteUse(tenantId: string, key: AccessKey, usedOn: string): void {
    const { keyId, lastUsedOn = '' } = key;
    if (usedOn <= lastUsedOn) return;
    this.remember({ ...key, lastUsedOn: usedOn }, this.clock());
    const sender = { tenantId, actor: `key:${keyId}` };
    this.handling
      .handle(sender, { type: 'NoteAccessKeyUse', keyId, usedOn })
      .catch((error: unknown) => this.log.warn(`the use of a key was not noted: ${String(error)}`));
  }
}

function equal(left: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(left, 'hex'), Buffer.from(right, 'hex'));
}
