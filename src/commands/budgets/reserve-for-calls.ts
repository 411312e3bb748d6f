import { Inject, Injectable, Logger } from '@nestjs/common';
import { CLOCK, type Clock } from '../../tokens.js';
import { type Budget, appliesTo, subjectOf } from '../../domain/budget/budget.js';
import { isExhausted, reserve } from '../../domain/budget/decide-ledger.js';
import type { BudgetAnswer, CallReservation } from '../../domain/budget/reservation.js';
import { Rejection } from '../../domain/rejection.js';
import type { SessionState } from '../../domain/state.js';
import type { TenantState } from '../../domain/tenant/tenant.js';
import { sessionStream } from '../../identity/derived-ids.js';
import type { CommandScope } from '../command-scope.js';
import type { HandledCommand } from '../handle-command.js';
import { SessionRepository } from '../session-repository.js';
import type { StartModelCallBody } from '../start-model-call/start-model-call.dto.js';
import { TenantPrices } from '../tenant-prices.js';
import { TenantRepository } from '../tenant-repository.js';
import { PreconditionFailedError, VersionConflictError } from '../revision-errors.js';
import { BudgetLedgers } from './budget-ledgers.js';
import { ledgerOf } from './budget-period.js';
import { callDoesNotFit, noPrice, nothingLeft } from './budget-refusals.js';
import { type CallEstimate, estimateCall } from './call-estimate.js';
import { SettleReservations } from './settle-reservations.js';

/** Takes from the budgets before a model call begins, and gives back when it does not. */
@Injectable()
export class ReserveForCalls {
  private readonly log = new Logger(ReserveForCalls.name);

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly sessions: SessionRepository,
    private readonly tenants: TenantRepository,
    private readonly prices: TenantPrices,
    private readonly ledgers: BudgetLedgers,
    private readonly settling: SettleReservations,
  ) {}

  /**
   * @param calls what will be started, in order.
   * @param tenant undefined: it cannot be read.
   * @param work starts them; it is given the answer of the budgets for each, or undefined where no
   *   budget applies. A refusal is for the domain to give: a repeated command is answered as before.
   */
  async around(
    scope: CommandScope,
    calls: readonly StartModelCallBody[],
    tenant: TenantState | undefined,
    work: (answers: readonly (BudgetAnswer | undefined)[]) => Promise<HandledCommand>,
  ): Promise<HandledCommand> {
    const answers: (BudgetAnswer | undefined)[] = [];
    for (const call of calls) answers.push(await this.answerFor(scope, call, tenant));
    const reserved = answers.flatMap((one) => (one?.kind === 'reserved' ? [one.reservation] : []));
    let handled: HandledCommand;
    try {
      handled = await work(answers);
    } catch (error) {
      if (isRefusal(error)) await this.giveBack(scope, reserved);
      throw error;
    }
    const used = new Set(
      handled.events.flatMap((event) =>
        event.type === 'ModelCallStarted' ? [event.data.reservation?.reservationId] : [],
      ),
    );
    const unused = reserved.filter(({ reservationId }) => !used.has(reservationId));
    await this.giveBack(scope, unused);
    return handled;
  }

  /** Of a budget that applies to the session and has nothing left. */
  async exhausted({ tenantId }: CommandScope, state: SessionState): Promise<Rejection | undefined> {
    const tenant = await this.tenants.currentIfReadable(tenantId);
    for (const budget of applying(tenant?.budgets ?? [], state)) {
      const ledger = await this.ledgers.current(tenantId, ledgerOf(budget, this.clock()));
      if (isExhausted(ledger, budget)) return nothingLeft(budget, ledger);
    }
    return undefined;
  }

  private async answerFor(
    scope: CommandScope,
    call: StartModelCallBody,
    tenant: TenantState | undefined,
  ): Promise<BudgetAnswer | undefined> {
    const { tenantId, sessionId } = scope;
    if (tenant === undefined || tenant.budgets.length === 0) return undefined;
    const { state } = await this.sessions.load(sessionStream(tenantId, sessionId));
    const isOpen = state.modelCall?.modelCallId === call.modelCallId;
    if (isOpen && call.modelCallId !== undefined) return undefined;
    const budgets = applying(tenant.budgets, state);
    if (budgets.length === 0) return undefined;
    const now = new Date(this.clock()).toISOString();
    const cards = this.prices.cardsIn(tenantId, tenant);
    const estimate = estimateCall(call, state, cards, now);
    return this.reserveIn(scope, call, budgets, { estimate, now });
  }

  private async reserveIn(
    scope: CommandScope,
    { modelCallId = '' }: StartModelCallBody,
    budgets: readonly Budget[],
    { estimate, now }: { readonly estimate: CallEstimate; readonly now: string },
  ): Promise<BudgetAnswer> {
    const reservationId = crypto.randomUUID();
    const { tenantId, sessionId, actor } = scope;
    const taken: string[] = [];
    const give = (): Promise<void> => this.giveBack(scope, [{ reservationId, ledgers: taken }]);
    const first = budgets[0]!;
    for (const budget of budgets) {
      const priced = estimate.priced && estimate.currency === budget.currency;
      if (!priced && budget.onUnpriced === 'deny') {
        await give();
        const reason = estimate.priced ? `its price is in ${estimate.currency}` : estimate.reason;
        return { kind: 'refused', rejection: noPrice(budget, reason) };
      }
      const amountPico = priced ? estimate.amountPico : '0';
      const held = { reservationId, sessionId, modelCallId, amountPico, reservedAt: now };
      const ledgerId = ledgerOf(budget, this.clock());
      const refused = await this.ledgers.change({ tenantId, ledgerId, actor }, (state) => {
        const { accepted, events } = reserve(held, state, budget);
        return { events, answer: accepted ? undefined : callDoesNotFit(budget, state, amountPico) };
      });
      if (refused !== undefined) {
        await give();
        return { kind: 'refused', rejection: refused };
      }
      taken.push(ledgerId);
    }
    const parts = estimate.priced
      ? estimate
      : {
          currency: first.currency,
          amountPico: '0',
          inputPico: '0',
          outputPico: '0',
          outputTokens: 0,
        };
    const { currency, amountPico, inputPico, outputPico, outputTokens } = parts;
    const sums = { currency, amountPico, inputPico, outputPico, outputTokens };
    return { kind: 'reserved', reservation: { reservationId, ledgers: taken, ...sums } };
  }

  private async giveBack(
    scope: CommandScope,
    reserved: readonly Pick<CallReservation, 'reservationId' | 'ledgers'>[],
  ): Promise<void> {
    for (const { reservationId, ledgers } of reserved) {
      await this.settling.release(scope, ledgers, reservationId).catch((error: unknown) => {
        this.log.warn(`reservation ${reservationId} is left to the reconciler: ${String(error)}`);
      });
    }
  }
}

function applying(budgets: readonly Budget[], state: SessionState): readonly Budget[] {
  if (budgets.length === 0) return budgets;
  const subject = subjectOf(state);
  return budgets.filter((budget) => appliesTo(budget, subject));
}

/** Nothing was appended. After any other error the start may stand, and the reconciler looks. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof Rejection ||
    error instanceof PreconditionFailedError ||
    error instanceof VersionConflictError
  );
}
