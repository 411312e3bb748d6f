import type { EgressRequest } from '../../src/egress/egress.js';
import type { EgressAnswer } from '../../src/egress/send-request.js';
import { CHILD_SESSION_PROBE } from '../../src/egress/named-probes.js';
import { EgressError } from '../../src/egress/egress-error.js';
import type { ToolBody } from '../../src/commands/dto/tool-body.js';
import type { Actor, Scheduler } from './scheduler.js';

export interface Served {
  readonly status: 'completed' | 'noEffect';
}

const KEY_WINDOW_MS = 120_000;
const COMMON = { timeoutMs: 20_000, maxFlightMs: 30_000, maxProbes: 4, escalationDueMs: 300_000 };
const ORIGIN = 'https://service.test';
const STATUS_QUERY = {
  method: 'GET' as const,
  urlTemplate: `${ORIGIN}/{opKey}`,
  rules: [
    { status: [200], answer: 'found' as const },
    { status: [404], pointer: '/code', equals: 'unknown_key', answer: 'notFound' as const },
  ],
};

/** One tool of each kind, with promises that this service keeps. */
export const SERVICE_TOOLS: readonly ToolBody[] = [
  { ...COMMON, name: 'look', effect: 'readOnly' },
  {
    ...COMMON,
    name: 'pay',
    effect: 'keyedWrite',
    keyWindowMs: KEY_WINDOW_MS,
    keyField: { header: 'Idempotency-Key' },
  },
  {
    ...COMMON,
    name: 'order',
    effect: 'queryableWrite',
    notFoundIsFinalAfterMs: 30_000,
    httpProbe: STATUS_QUERY,
    compensate: 'unbook',
  },
  { ...COMMON, name: 'mail', effect: 'opaqueWrite' },
  {
    ...COMMON,
    name: 'deploy',
    effect: 'keyedWrite',
    keyWindowMs: KEY_WINDOW_MS,
    keyField: { header: 'Idempotency-Key' },
    approval: 'operator',
  },
  {
    ...COMMON,
    name: 'book',
    effect: 'opaqueWrite',
    onUnknown: 'hold',
    compensate: 'unbook',
    compensateWhenRunFails: true,
  },
];
/** What undoes a booking or an order; no model knows it. */
export const UNDO_TOOL: ToolBody = {
  ...COMMON,
  name: 'unbook',
  effect: 'keyedWrite',
  keyWindowMs: KEY_WINDOW_MS,
  keyField: { header: 'Idempotency-Key' },
};
/** Starts a child session, which is named after the call: its own stream tells what became of it. */
export const DELEGATE_TOOL: ToolBody = {
  ...COMMON,
  name: 'delegate',
  effect: 'keyedWrite',
  keyWindowMs: 365 * 86_400_000,
  keyField: { body: '/sessionId' },
  namedProbe: CHILD_SESSION_PROBE,
};
const KEYED = ['pay', 'deploy', 'unbook'];
export const REQUEST_FLIGHT_MS_MAX = 24_000;

/** The world outside. It counts its effects by operation key, and answers status queries truly. */
export class Service {
  private readonly effects = new Map<string, number>();
  private readonly keys = new Map<string, number>();
  private readonly travelling = new Map<string, number>();
  faults = true;

  constructor(private readonly scheduler: Scheduler) {}

  effectsOf(opKey: string): number {
    return this.effects.get(opKey) ?? 0;
  }

  takesEffect(opKey: string): void {
    this.effects.set(opKey, this.effectsOf(opKey) + 1);
  }

  mayStillAct(opKey: string): boolean {
    return (this.travelling.get(opKey) ?? 0) > 0;
  }

  /** The answer, if request and answer arrive; the request lands whether its sender lives or not. */
  send(tool: string, opKey: string): Promise<Served> {
    const { choices } = this.scheduler;
    this.travel(opKey, 1);
    const isSlow = this.faults && choices.oneIn(4);
    return new Promise((resolve) => {
      this.scheduler.later(choices.below(isSlow ? REQUEST_FLIGHT_MS_MAX : 1_500), () => {
        this.travel(opKey, -1);
        if (this.faults && choices.oneIn(10)) return;
        const served = this.serve(tool, opKey);
        if (this.faults && choices.oneIn(8)) return;
        const backMs = choices.below(this.faults && choices.oneIn(5) ? 60_000 : 1_000);
        this.scheduler.later(backMs, () => resolve(served));
      });
    });
  }

  /** Stands for the module through which a server reaches targets. */
  egressOf(actor: Actor) {
    return {
      allows: (url: string): boolean => url.startsWith(ORIGIN),
      send: async ({ url }: EgressRequest): Promise<EgressAnswer> => {
        await this.scheduler.turn(actor);
        if (this.faults && this.scheduler.choices.oneIn(6)) {
          throw new EgressError('timeout', 'no answer in time');
        }
        const isFound = this.effectsOf(new URL(url).pathname.slice(1)) > 0;
        await this.scheduler.turn(actor);
        const body = Buffer.from(JSON.stringify(isFound ? {} : { code: 'unknown_key' }));
        return { status: isFound ? 200 : 404, isJson: true, body };
      },
    };
  }

  private serve(tool: string, opKey: string): Served {
    if (tool === 'look') return { status: 'completed' };
    const knownMs = this.keys.get(opKey);
    const isKnown = knownMs !== undefined && this.scheduler.nowMs < knownMs + KEY_WINDOW_MS;
    if (KEYED.includes(tool) && isKnown) return { status: 'completed' };
    if (this.faults && this.scheduler.choices.oneIn(8)) return { status: 'noEffect' };
    this.takesEffect(opKey);
    if (KEYED.includes(tool)) this.keys.set(opKey, this.scheduler.nowMs);
    return { status: 'completed' };
  }

  private travel(opKey: string, change: number): void {
    this.travelling.set(opKey, (this.travelling.get(opKey) ?? 0) + change);
  }
}
