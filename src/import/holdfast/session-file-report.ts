import type { SessionEvent } from '../../domain/events.js';
import { type CallState, callsOf, isOpen } from '../../domain/state.js';
import { type Buckets, bucketNames, outputTokens, sumBuckets } from '../../domain/usage.js';
import type { ImportedSession, LogReport } from '../import-report.js';
import type { SurveyedFile } from './survey-session-file.js';

/** What the file holds, as its events say; prices are those that were recorded. */
export class FileReport {
  private readonly byType = new Map<string, number>();
  private readonly buckets: Buckets[] = [];
  private readonly models = new Set<string>();
  private pico = 0n;
  private unpriced = 0;

  constructor(private readonly survey: SurveyedFile) {}

  count(event: SessionEvent): void {
    this.byType.set(event.type, this.countOf(event.type) + 1);
    if (event.type !== 'ModelCallSettled' || event.data.usage === undefined) return;
    const { usage, cost, responseModel, requestedModel } = event.data;
    const model = responseModel ?? requestedModel;
    if (model !== undefined) this.models.add(model);
    this.buckets.push(usage.buckets);
    if (cost?.amountPico) this.pico += BigInt(cost.amountPico);
    else this.unpriced += 1;
  }

  done(sessions: readonly ImportedSession[]): LogReport {
    const { file, header, lines } = this.survey;
    const own = sessions.find(({ nativeId }) => nativeId === header.sessionId);
    return {
      file,
      format: 'holdfast',
      sessionId: own?.sessionId ?? '',
      sessions,
      events_appended: sessions.reduce((sum, { eventsAppended }) => sum + eventsAppended, 0),
      ...this.lineCounts(lines),
      ...this.conversationCounts(),
      ...this.usageCounts(),
      session_ids: sessions.length,
      by_type: Object.fromEntries(
        [...this.byType].sort(([one], [other]) => (one < other ? -1 : 1)),
      ),
      cost_in_file: '',
      notes: '',
    };
  }

  private lineCounts(lines: number) {
    const whole = { records: lines, lines, values: lines, accepted: lines };
    return { ...whole, bad_lines: 0, quarantined: 0, ignored: 0, quarantine: [], changed: [] };
  }

  private conversationCounts() {
    const states = [...this.survey.sessions.values()].map(({ state }) => state);
    const isDangling = (call: CallState): boolean => isOpen(call) && call.status !== 'requested';
    return {
      user_inputs: this.countOf('InputAccepted'),
      other_inputs: 0,
      assistant_messages: states.reduce((sum, { counters }) => sum + counters.modelCalls, 0),
      tool_calls: this.countOf('ToolCallRequested'),
      tool_results: this.countOf('ToolResultRecorded'),
      dangling: states.flatMap(callsOf).filter(isDangling).length,
      orphan_results: 0,
      rejected: this.countOf('ToolCallSkipped'),
      interrupts: this.countOf('StopRequested'),
      compactions: this.countOf('Compacted'),
      sidechain_records: 0,
    };
  }

  private usageCounts() {
    const buckets = sumBuckets(this.buckets);
    const of = (name: (typeof bucketNames)[number]) => buckets[name] ?? 0;
    return {
      model_calls: this.buckets.length,
      input_fresh: of('inputFresh'),
      cache_read: of('cacheRead'),
      cache_write_5m: of('cacheWrite5m'),
      cache_write_1h: of('cacheWrite1h'),
      cache_write_unknown: of('cacheWriteUnknown'),
      output: outputTokens({ buckets }),
      reasoning: of('outputReasoning'),
      cost_pusd: this.unpriced === this.buckets.length ? '' : this.pico.toString(),
      unpriced_calls: this.unpriced,
      recorded_cost_pusd: this.pico.toString(),
      models: [...this.models].sort().join('|'),
    };
  }

  private countOf(type: string): number {
    return this.byType.get(type) ?? 0;
  }
}
