import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { ALARMS_KNOWN, type Alarm } from '../alarms.js';
import type { Redaction } from '../domain/redaction/redaction-policy.js';
import { KNOWN_RULES } from '../redaction/redaction-rules.js';

/** Names that clients choose: more of them would make the page grow without end. */
const MODELS_MAX = 200;
const OTHER = 'other';
/** A text that a tenant's own patterns could not search in time. */
const OVERFLOW = 'overflow';
const WATCHED_PROBLEMS = ['unauthenticated', 'forbidden', 'stale_epoch', 'session_key_missing'];
const CLAIM_REASONS = ['start', 'resume', 'takeover'];
const PICO = 1e12;

/** What this process counts, for Prometheus. Contents, ids and people are never labels. */
export class Metrics {
  readonly registry = new Registry();
  private readonly models = new Set<string>();

  readonly appends = new Histogram({
    name: 'holdfast_append_duration_seconds',
    help: 'Appends to the event store, until their outcome was known; conflict: another was first.',
    labelNames: ['outcome'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });
  private readonly calls = new Counter({
    name: 'holdfast_model_calls_total',
    help: 'Model calls that this instance has recorded as settled.',
    labelNames: ['provider', 'model', 'outcome', 'priced'],
    registers: [this.registry],
  });
  private readonly tokens = new Counter({
    name: 'holdfast_model_tokens_total',
    help: 'Tokens of these calls as they were settled; usage that came later is in /v1/costs only.',
    labelNames: ['provider', 'model', 'bucket'],
    registers: [this.registry],
  });
  private readonly cost = new Counter({
    name: 'holdfast_model_cost_total',
    help: 'Cost of these calls as they were settled, in units of the currency.',
    labelNames: ['provider', 'model', 'currency'],
    registers: [this.registry],
  });
  private readonly redactions = new Counter({
    name: 'holdfast_redactions_total',
    help: 'Secrets that were masked before an append, or only noted; own: by a pattern of a tenant.',
    labelNames: ['rule', 'masked'],
    registers: [this.registry],
  });
  private readonly problems = new Counter({
    name: 'holdfast_problems_total',
    help: 'Requests that were refused or failed, by the code of the problem.',
    labelNames: ['code'],
    registers: [this.registry],
  });
  private readonly alarms = new Counter({
    name: 'holdfast_alarms_total',
    help: 'What somebody has to look at; the log says what it was.',
    labelNames: ['alarm'],
    registers: [this.registry],
  });
  private readonly claims = new Counter({
    name: 'holdfast_run_claims_total',
    help: 'Claims of runs that this instance has recorded; takeover: the owner before was lost.',
    labelNames: ['reason'],
    registers: [this.registry],
  });
  private readonly lateResults = new Counter({
    name: 'holdfast_late_results_total',
    help: 'Answers of tools that came after their call was taken from whoever made it.',
    registers: [this.registry],
  });
  private readonly conflicts = new Counter({
    name: 'holdfast_tool_conflicts_total',
    help: 'What was found out about a tool call and contradicts what was recorded.',
    labelNames: ['kind'],
    registers: [this.registry],
  });
  readonly storeUp = this.gauge('holdfast_store_up', 'Whether it answers: 1 or 0.', ['store']);
  readonly lag = this.gauge(
    'holdfast_projection_lag_seconds',
    'Age of the oldest event that the read model does not show yet; 0 when it shows all.',
    ['projection'],
  );
  readonly owned = this.gauge(
    'holdfast_projection_owned',
    'Whether this instance keeps the read model up to date: 1 or 0.',
    ['projection'],
  );
  readonly failing = this.gauge(
    'holdfast_projection_failing',
    'Whether this instance cannot go on with the read model: 1 or 0.',
    ['projection'],
  );
  readonly quarantined = this.gauge(
    'holdfast_projection_quarantined_sessions',
    'Sessions whose events the read model could not take.',
    ['projection'],
  );
  readonly quarantine = this.gauge(
    'holdfast_quarantined_sessions',
    'Sessions that wait for an operator, by what their run used up; invalidStream: damaged events.',
    ['budget'],
  );
  readonly openReconciliations = this.gauge(
    'holdfast_open_reconciliations',
    'Tool calls without a known outcome in sessions that are not at rest.',
    [],
  );
  readonly unknownCalls = this.gauge(
    'holdfast_unknown_calls',
    'Tool calls that may have had an effect nobody knows, by how long nothing was recorded of them.',
    ['effect', 'age'],
  );
  readonly escalations = this.gauge(
    'holdfast_open_escalations',
    'People who are asked how a tool call ended, by how long nothing was recorded of it.',
    ['age'],
  );
  readonly lateQuestions = this.gauge(
    'holdfast_questions_past_half_time',
    'Escalations and approvals that nobody has decided in half of the time that there was.',
    [],
  );
  readonly overdue = this.gauge(
    'holdfast_overdue_sessions',
    'Sessions that a worker could have taken for a minute, and none has; 1000 at most.',
    [],
  );

  constructor() {
    // From 0 on: a rate is told from the first one.
    for (const alarm of ALARMS_KNOWN) this.alarms.inc({ alarm }, 0);
    for (const code of WATCHED_PROBLEMS) this.problems.inc({ code }, 0);
    for (const reason of CLAIM_REASONS) this.claims.inc({ reason }, 0);
  }

  problem(code: string): void {
    this.problems.inc({ code });
  }

  alarm(alarm: Alarm): void {
    this.alarms.inc({ alarm });
  }

  claimed(reason: string): void {
    this.claims.inc({ reason });
  }

  late(): void {
    this.lateResults.inc();
  }

  conflict(kind: string): void {
    this.conflicts.inc({ kind });
    this.alarm('tool_conflict');
  }

  settled(call: SettledCall): void {
    const { provider = 'unknown', outcome, cost } = call;
    const model = this.modelLabel(call.responseModel ?? call.requestedModel ?? 'unknown');
    const priced = cost?.amountPico === undefined ? 'no' : 'yes';
    this.calls.inc({ provider, model, outcome, priced });
    for (const [bucket, count] of Object.entries(call.usage?.buckets ?? {})) {
      this.tokens.inc({ provider, model, bucket }, count);
    }
    if (cost?.amountPico === undefined) return;
    this.cost.inc({ provider, model, currency: cost.currency }, Number(cost.amountPico) / PICO);
  }

  redacted({ redactions }: Redacted): void {
    for (const { rule, flagged } of redactions) {
      const name = KNOWN_RULES.includes(rule) ? rule : 'own';
      this.redactions.inc({ rule: name, masked: flagged === true ? 'no' : 'yes' });
      if (rule === OVERFLOW) this.alarm('redaction_overflow');
    }
  }

  private modelLabel(name: string): string {
    if (!this.models.has(name) && this.models.size >= MODELS_MAX) return OTHER;
    this.models.add(name);
    return name;
  }

  private gauge<Label extends string>(name: string, help: string, labelNames: Label[]) {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }
}

/** What is counted of an event's metadata. */
export interface Redacted {
  readonly redactions: readonly Pick<Redaction, 'rule' | 'flagged'>[];
}

/** What is counted of a `ModelCallSettled`. */
export interface SettledCall {
  readonly provider?: string;
  readonly responseModel?: string;
  readonly requestedModel?: string;
  readonly outcome: string;
  readonly usage?: { readonly buckets: Readonly<Record<string, number>> };
  readonly cost?: { readonly amountPico?: string; readonly currency: string };
}
