import { Inject, Injectable, Logger } from '@nestjs/common';
import { EVENT_STORE } from '../tokens.js';
import { type TenantState, evolveTenant, initialTenantState } from '../domain/tenant/tenant.js';
import { tenantStream } from '../identity/derived-ids.js';
import { UnreadableEventError } from '../storage/event-codec.js';
import type { EventStore } from '../storage/event-store.js';
import { decodeTenantEvent } from '../storage/tenant-event-codec.js';

const READ_PAGE_EVENTS = 500;

/** States of tenants, each as current as its stream: the head is compared before every use. */
@Injectable()
export class TenantRepository {
  private readonly log = new Logger(TenantRepository.name);
  private readonly states = new Map<string, TenantState>();

  constructor(@Inject(EVENT_STORE) private readonly events: EventStore) {}

  /** @throws UnreadableEventError when the tenant's stream is damaged. */
  async current(tenantId: string): Promise<TenantState> {
    const stream = tenantStream(tenantId);
    const head = await this.events.head(stream);
    let state = this.states.get(tenantId) ?? initialTenantState;
    if (state.revision === (head === 'noStream' ? -1 : head)) return state;
    for (;;) {
      const page = await this.events.read(stream, {
        from: state.revision + 1,
        maxCount: READ_PAGE_EVENTS,
      });
      state = page.map(decodeTenantEvent).reduce(evolveTenant, state);
      if (page.length < READ_PAGE_EVENTS) break;
    }
    this.states.set(tenantId, state);
    return state;
  }

  /** Undefined when the stream is damaged: calls go on, without prices and budgets. */
  async currentIfReadable(tenantId: string): Promise<TenantState | undefined> {
    try {
      return await this.current(tenantId);
    } catch (error) {
      if (!(error instanceof UnreadableEventError)) throw error;
      this.log.error(`calls are recorded without a price, under no budget: ${error.message}`);
      return undefined;
    }
  }
}
