import { Injectable } from '@nestjs/common';
import { InvalidStreams } from '../projections/invalid-streams.js';
import { Projectors } from '../projections/projectors.js';
import { QUARANTINE_BUDGETS, type QuarantineBudget } from '../domain/events/session-events.js';
import { OpenSessions } from '../reconciliation/open-sessions.js';
import { OverdueWork } from '../work/overdue-work.js';
import { Metrics } from './metrics.js';
import { AGES, EFFECTS, OpenCallAges } from './open-call-ages.js';
import { ReadModelLag } from './read-model-lag.js';
import { StoreHealth } from './store-health.js';

/** The text that Prometheus reads. What a store that is away would tell is left out of it. */
@Injectable()
export class MetricsPage {
  constructor(
    private readonly metrics: Metrics,
    private readonly health: StoreHealth,
    private readonly projectors: Projectors,
    private readonly open: OpenSessions,
    private readonly invalid: InvalidStreams,
    private readonly lateness: ReadModelLag,
    private readonly ages: OpenCallAges,
    private readonly overdueWork: OverdueWork,
  ) {}

  get contentType(): string {
    return this.metrics.registry.contentType;
  }

  async text(): Promise<string> {
    const { storeUp } = this.metrics;
    const { eventStore, readModels, keys } = await this.health.ask();
    storeUp.set({ store: 'events' }, Number(eventStore));
    storeUp.set({ store: 'read_models' }, Number(readModels));
    storeUp.set({ store: 'keys' }, Number(keys));
    this.forget();
    // One that goes away meanwhile only leaves gaps.
    if (eventStore && readModels) await this.look().catch(() => undefined);
    return this.metrics.registry.metrics();
  }

  private forget(): void {
    const { lag, owned, failing, quarantined, quarantine } = this.metrics;
    const { openReconciliations, unknownCalls, escalations, overdue, lateQuestions } = this.metrics;
    const labelled = [lag, owned, failing, quarantined, quarantine, unknownCalls, escalations];
    for (const gauge of labelled) gauge.reset();
    openReconciliations.remove();
    overdue.remove();
    lateQuestions.remove();
  }

  private async look(): Promise<void> {
    const { lag, owned, failing, quarantined, quarantine, openReconciliations } = this.metrics;
    for (const status of await this.projectors.status()) {
      const projection = status.name;
      lag.set({ projection }, await this.lateness.seconds(status));
      owned.set({ projection }, Number(status.isOwnedHere));
      failing.set({ projection }, Number(status.failure !== undefined));
      quarantined.set({ projection }, status.quarantined.length);
    }
    let unresolved = 0;
    const sessions = new Map<QuarantineBudget, number>(QUARANTINE_BUDGETS.map((one) => [one, 0]));
    for await (const { unresolvedCalls, quarantine: budget } of this.open.all()) {
      unresolved += unresolvedCalls;
      if (budget !== undefined) sessions.set(budget, (sessions.get(budget) ?? 0) + 1);
    }
    openReconciliations.set(unresolved);
    for (const [budget, count] of sessions) quarantine.set({ budget }, count);
    quarantine.set({ budget: 'invalidStream' }, (await this.invalid.all()).length);
    await this.lookAtCalls();
    this.metrics.overdue.set(await this.overdueWork.count());
  }

  private async lookAtCalls(): Promise<void> {
    const { unknownCalls, escalations, lateQuestions } = this.metrics;
    const { unknown, questions, late } = await this.ages.count();
    lateQuestions.set(late);
    for (const age of AGES) {
      escalations.set({ age }, questions.get(age) ?? 0);
      for (const effect of EFFECTS) {
        unknownCalls.set({ effect, age }, unknown.get(effect)?.get(age) ?? 0);
      }
    }
  }
}
