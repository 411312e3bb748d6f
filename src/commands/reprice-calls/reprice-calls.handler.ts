import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CODEC, EVENT_STORE } from '../../tokens.js';
import type { SessionEvent } from '../../domain/events.js';
import type { RepricedCall } from '../../domain/events/model-events.js';
import { recordedCalls } from '../../domain/recorded-calls.js';
import { Rejection } from '../../domain/rejection.js';
import { derivedId, sessionOfStream, sessionStream } from '../../identity/derived-ids.js';
import type { PriceCards } from '../../pricing/card-index.js';
import {
  type RepricingPlan,
  type RepricingTotals,
  addTotals,
  planOf,
  planRepricing,
} from '../../pricing/plan-repricing.js';
import type { EventCodec } from '../../storage/event-codec.js';
import type { EventStore, RecordedEvent } from '../../storage/event-store.js';
import { CommandHandling } from '../handle-command.js';
import { PreconditionFailedError } from '../revision-errors.js';
import type { TenantSender } from '../tenant-handling.js';
import { TenantPrices } from '../tenant-prices.js';
import type { RepriceCallsBody } from './reprice-calls.dto.js';

/** Events of the log that one request goes through, so that none takes long. */
const EVENTS_AT_ONCE = 1_000;
/** A cost with all its rates takes up to 1 KiB, and an event 256. */
const CALLS_PER_EVENT = 100;
const CALLS_PER_APPEND = 500;
const TRIES_MAX = 5;
const READ_PAGE_EVENTS = 1_000;
const SHOWN_MAX = 100;
const CALL_EVENTS = ['ModelCallSettled', 'ModelUsageReported', 'CallsRepriced'] as const;

export interface RepricedCallOfSession extends RepricedCall {
  readonly sessionId: string;
}

export interface Repricing extends RepricingTotals {
  readonly repricingId: string;
  readonly dryRun: boolean;
  readonly sessions: number;
  /** The first so many of them. */
  readonly changes: readonly RepricedCallOfSession[];
  /** There is more of the log: send the request again with this as `after`. */
  readonly next?: string;
}

export class RepriceCalls extends Command<Repricing> {
  constructor(
    readonly sender: TenantSender,
    readonly body: RepriceCallsBody,
  ) {
    super();
  }
}

/**
 * Goes through the log in order, a bounded part of it per request. A session is done where its
 * first call stands, whole, at the revision that it was read at.
 */
@CommandHandler(RepriceCalls)
export class RepriceCallsHandler implements ICommandHandler<RepriceCalls, Repricing> {
  constructor(
    @Inject(EVENT_STORE) private readonly events: EventStore,
    @Inject(CODEC) private readonly codec: EventCodec,
    private readonly handling: CommandHandling,
    private readonly prices: TenantPrices,
  ) {}

  /** @throws Rejection `not_found`; VersionConflictError; the store's errors. */
  async execute({ sender, body }: RepriceCalls): Promise<Repricing> {
    const cards = await this.prices.cardsOf(sender.tenantId);
    const { streams, next } = await this.streamsOf(sender, body);
    const plans: [string, RepricingPlan][] = [];
    for (const stream of streams) {
      const { sessionId } = sessionOfStream(stream)!;
      plans.push([sessionId, await this.session({ sender, body, cards, stream, sessionId })]);
    }
    const changed = plans.filter(([, { calls }]) => calls > 0);
    return {
      repricingId: body.repricingId,
      dryRun: body.dryRun,
      sessions: changed.length,
      ...addTotals(plans.map(([, plan]) => plan)),
      changes: changed
        .flatMap(([sessionId, { changes }]) => changes.map((one) => ({ sessionId, ...one })))
        .slice(0, SHOWN_MAX),
      ...(next === undefined ? {} : { next }),
    };
  }

  private async streamsOf(
    { tenantId }: TenantSender,
    { sessionId, tree, after = '0' }: RepriceCallsBody,
  ): Promise<{ readonly streams: readonly string[]; readonly next?: string }> {
    if (sessionId !== undefined) {
      const stream = sessionStream(tenantId, sessionId);
      if ((await this.events.head(stream)) === 'noStream') {
        throw new Rejection('not_found', `there is no session ${sessionId}`);
      }
      if (!tree) return { streams: [stream] };
    }
    const from = BigInt(after);
    const filter = { streamPrefix: sessionStream(tenantId, '') };
    const page = await this.events.readAll(from, EVENTS_AT_ONCE, filter);
    const found = new Set<string>();
    for (const event of page.events) {
      const isCall = this.codec.typeOf(event.type) === 'ModelCallSettled';
      if (isCall && !found.has(event.stream)) found.add(event.stream);
    }
    const streams: string[] = [];
    for (const stream of found) {
      const isHere = await this.beginsAfter(stream, from);
      if (isHere && (await this.isBelow(stream, sessionId))) streams.push(stream);
    }
    return page.caughtUp ? { streams } : { streams, next: String(page.next) };
  }

  /** Its first call stands behind this position: no earlier request has done it. */
  private async beginsAfter(stream: string, position: bigint): Promise<boolean> {
    if (position === 0n) return true;
    const types = ['ModelCallSettled'];
    const [first] = await this.events.read(stream, { from: 0, maxCount: 1, types });
    return first !== undefined && first.position > position;
  }

  private async isBelow(stream: string, root: string | undefined): Promise<boolean> {
    if (root === undefined || sessionOfStream(stream)?.sessionId === root) return true;
    const [first] = await this.events.read(stream, { from: 0, maxCount: 1 });
    const event = first && this.codec.eventOf(first);
    const isFirst = event?.type === 'SessionStarted' || event?.type === 'Forked';
    return isFirst && event.data.ancestors.includes(root);
  }

  private async session(work: SessionWork): Promise<RepricingPlan> {
    const { body, cards, stream } = work;
    const done: RepricingPlan[] = [];
    for (let tries = 0; ;) {
      const head = await this.events.head(stream);
      const revision = head === 'noStream' ? -1 : head;
      const calls = recordedCalls(await this.callEvents(stream, revision));
      const plan = planRepricing(calls.values(), body, cards);
      if (body.dryRun || plan.calls === 0) return joined([...done, plan]);
      const part = plan.changes.slice(0, CALLS_PER_APPEND);
      try {
        await this.append(work, revision, part);
        done.push(planOf(part, 0));
      } catch (error) {
        tries += 1;
        if (!(error instanceof PreconditionFailedError) || tries >= TRIES_MAX) throw error;
      }
    }
  }

  private async callEvents(stream: string, to: number): Promise<readonly SessionEvent[]> {
    const found: RecordedEvent[] = [];
    for (let from = 0; from <= to;) {
      const types = [...CALL_EVENTS];
      const page = await this.events.read(stream, { from, to, maxCount: READ_PAGE_EVENTS, types });
      found.push(...page);
      if (page.length < READ_PAGE_EVENTS) break;
      from = page.at(-1)!.revision + 1;
    }
    return found.map((event) => this.codec.eventOf(event));
  }

  private async append(
    { sender, body, sessionId }: SessionWork,
    revision: number,
    changes: readonly RepricedCall[],
  ): Promise<void> {
    const { repricingId, reason } = body;
    const scope = { ...sender, sessionId, ifRevision: revision };
    const parts = Array.from({ length: Math.ceil(changes.length / CALLS_PER_EVENT) }, (_, index) =>
      changes.slice(index * CALLS_PER_EVENT, (index + 1) * CALLS_PER_EVENT),
    );
    await this.handling.handle(scope, ({ now }) =>
      parts.map((calls, index) => ({
        type: 'RepriceCalls' as const,
        commandId: derivedId('reprice', repricingId, revision, index),
        now,
        repricingId,
        reason,
        actor: sender.actor,
        calls,
      })),
    );
  }
}

interface SessionWork {
  readonly sender: TenantSender;
  readonly body: RepriceCallsBody;
  readonly cards: PriceCards;
  readonly stream: string;
  readonly sessionId: string;
}

function joined(plans: readonly RepricingPlan[]): RepricingPlan {
  return { ...addTotals(plans), changes: plans.flatMap(({ changes }) => changes) };
}
