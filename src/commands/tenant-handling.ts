import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, type Clock, EVENT_STORE } from '../tokens.js';
import {
  type TenantCommand,
  type TenantEvent,
  type TenantState,
  decideTenant,
} from '../domain/tenant/tenant.js';
import { derivedId, tenantStream } from '../identity/derived-ids.js';
import { appendSettled } from '../storage/append-settled.js';
import { type AppendOutcome, type EventStore, type EventToAppend } from '../storage/event-store.js';
import { encodeTenantEvent } from '../storage/tenant-event-codec.js';
import { VersionConflictError } from './revision-errors.js';
import { TenantRepository } from './tenant-repository.js';

const CONFLICT_RETRIES_MAX = 3;

export interface TenantSender {
  readonly tenantId: string;
  readonly actor: string;
}

export interface HandledTenantCommand {
  /** Those that were appended now. */
  readonly events: readonly TenantEvent[];
  /** Of the tenant's stream, afterwards. */
  readonly revision: number;
}

/** Decides on a tenant's stream and appends; decides anew on a conflict. */
@Injectable()
export class TenantHandling {
  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly tenants: TenantRepository,
  ) {}

  /** @throws Rejection; VersionConflictError; the store's errors. */
  async handle(sender: TenantSender, command: TenantCommand): Promise<HandledTenantCommand> {
    for (let tries = 0; tries < CONFLICT_RETRIES_MAX; tries += 1) {
      const state = await this.tenants.current(sender.tenantId);
      const events = decideTenant(command, state);
      if (events.length === 0) return { events, revision: state.revision };
      const outcome = await this.append(sender, command, state, events);
      if (outcome.outcome === 'written') return { events, revision: outcome.revision };
    }
    throw new VersionConflictError(tenantStream(sender.tenantId));
  }

  private async append(
    sender: TenantSender,
    command: TenantCommand,
    state: TenantState,
    events: readonly TenantEvent[],
  ): Promise<AppendOutcome> {
    const stream = tenantStream(sender.tenantId);
    const expected = state.revision < 0 ? 'noStream' : state.revision;
    const recordedAtMs = this.clock();
    const batch = events.map((event) =>
      toAppend(sender, command, event, { recordedAtMs, revision: state.revision }),
    );
    return (await appendSettled(this.events, stream, expected, batch)).outcome;
  }
}

function toAppend(
  { tenantId, actor }: TenantSender,
  command: TenantCommand,
  event: TenantEvent,
  { recordedAtMs, revision }: { readonly recordedAtMs: number; readonly revision: number },
): EventToAppend {
  const [name, version] = nameOf(event, revision);
  return encodeTenantEvent({
    eventId: derivedId('tenantEvent', tenantId, event.type, name, version),
    event,
    metadata: {
      tenantId,
      actor,
      commandType: command.type,
      commandId: `${name}@${isSetAgain(event) ? revision : version}`,
    },
    recordedAtMs,
  });
}

/** What belongs to a tenant has a name and versions of it. */
function nameOf(event: TenantEvent, revision: number): readonly [string, string | number] {
  switch (event.type) {
    case 'PriceCardAdded':
      return [event.data.card.cardId, event.data.card.version];
    case 'ToolManifestRegistered':
      return [event.data.manifest.name, event.data.manifest.version];
    // A budget is set again and again; two that race for one revision must not be the same event.
    case 'BudgetSet':
      return [event.data.budget.budgetId, `${revision}:${JSON.stringify(event.data.budget)}`];
    case 'BudgetRemoved':
      return [event.data.budgetId, revision];
    case 'RedactionPolicySet':
      return ['redaction', `${revision}:${JSON.stringify(event.data.policy)}`];
    case 'AccessKeyAdded':
      return [event.data.key.keyId, 'added'];
    case 'AccessKeyRevoked':
    case 'AccessKeyExpiryChanged':
    case 'AccessKeyUsed':
      return [event.data.keyId, revision];
  }
}

function isSetAgain({ type }: TenantEvent): boolean {
  return type === 'BudgetSet' || type === 'BudgetRemoved' || type === 'RedactionPolicySet';
}
