import { Inject, Injectable } from '@nestjs/common';
import type { EffectClass } from '../domain/tool-manifest.js';
import { ReadModels } from '../projections/read-models.js';
import type { OpenCallDocument } from '../projections/sessions/open-call-document.js';
import {
  RECONCILIATIONS,
  sessionsProjection,
} from '../projections/sessions/sessions-projection.js';
import { CLOCK, type Clock } from '../tokens.js';

const PAGE = 200;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const AGES = ['hour', 'day', 'older'] as const;
export type Age = (typeof AGES)[number];

export const EFFECTS: readonly EffectClass[] = [
  'readOnly',
  'keyedWrite',
  'queryableWrite',
  'opaqueWrite',
];

/** How many there are of each; what there is none of is absent. */
export interface OpenCallCounts {
  readonly unknown: ReadonlyMap<EffectClass, ReadonlyMap<Age, number>>;
  readonly questions: ReadonlyMap<Age, number>;
  /** Questions of which half of the time is over since anything was recorded (§12). */
  readonly late: number;
}

/** Open tool calls of all tenants, by how long ago something was last recorded of them. */
@Injectable()
export class OpenCallAges {
  constructor(
    private readonly readModels: ReadModels,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async count(): Promise<OpenCallCounts> {
    const unknown = new Map<EffectClass, Map<Age, number>>();
    const questions = new Map<Age, number>();
    let late = 0;
    for await (const { state, effect, question, since, decisionDueAt } of this.all()) {
      const age = this.ageOf(since);
      if (question === 'outcome') addOne(questions, age);
      if (decisionDueAt !== undefined && this.isPastHalf(since, decisionDueAt)) late += 1;
      if (state !== 'unknown' && state !== 'awaitingHuman') continue;
      const ages = unknown.get(effect) ?? new Map<Age, number>();
      addOne(ages, age);
      unknown.set(effect, ages);
    }
    return { unknown, questions, late };
  }

  private isPastHalf(since: string, dueAt: string): boolean {
    return this.clock() - Date.parse(since) > Date.parse(dueAt) - this.clock();
  }

  private ageOf(since: string): Age {
    const ageMs = this.clock() - Date.parse(since);
    if (ageMs < HOUR_MS) return 'hour';
    return ageMs < DAY_MS ? 'day' : 'older';
  }

  private async *all(): AsyncIterable<OpenCallDocument> {
    const reader = await this.readModels.of(sessionsProjection);
    let cursor: string | undefined;
    do {
      const sort = { field: 'since', direction: 'ascending' } as const;
      const page = await reader.find(RECONCILIATIONS, { filters: [], sort, limit: PAGE, cursor });
      for (const { document } of page.documents) yield document as unknown as OpenCallDocument;
      cursor = page.cursor;
    } while (cursor !== undefined);
  }
}

function addOne(counts: Map<Age, number>, age: Age): void {
  counts.set(age, (counts.get(age) ?? 0) + 1);
}
