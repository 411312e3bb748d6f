import type { ProbeAnswer } from '../../src/domain/http-probe.js';
import type { ResultScope, ResultStatus } from '../../src/domain/events/tool-events.js';
import type { ToolManifest } from '../../src/domain/tool-manifest.js';
import type { Choices } from './choices.js';

export interface TargetAnswer {
  readonly status: ResultStatus;
  readonly scope?: ResultScope;
}

/**
 * The world outside, which the protocol can only ask: what each operation did, how often. It keeps
 * the promises of the manifests: it remembers a key for its window, and answers probes truly.
 */
export class Target {
  private readonly effects = new Map<string, number>();
  private readonly voided = new Set<string>();
  private readonly keys = new Map<string, number>();
  private readonly travelling = new Map<string, number>();

  constructor(private readonly choices: Choices) {}

  /** A request is on its way; it lands once, or is dropped. */
  departs(callId: string): void {
    this.travelling.set(callId, (this.travelling.get(callId) ?? 0) + 1);
  }

  dropped(callId: string): void {
    this.travelling.set(callId, this.travelling.get(callId)! - 1);
  }

  lands(callId: string, opKey: string, tool: ToolManifest, nowMs: number): TargetAnswer {
    this.dropped(callId);
    if (tool.effect === 'readOnly') {
      return this.choices.oneIn(6) ? { status: 'noEffect', scope: 'attempt' } : COMPLETED;
    }
    if (this.voided.has(callId) && this.effectsOf(callId) === 0) return this.refusal(callId);
    const rememberedMs = this.keys.get(opKey);
    const known = rememberedMs !== undefined && nowMs < rememberedMs + tool.keyWindowMs;
    if (known) return this.choices.oneIn(8) ? this.refusal(callId) : COMPLETED;
    if (this.choices.oneIn(5)) return this.refusal(callId);
    this.effects.set(callId, this.effectsOf(callId) + 1);
    if (tool.keyWindowMs > 0) this.keys.set(opKey, nowMs);
    return COMPLETED;
  }

  ask(callId: string): ProbeAnswer {
    if (this.choices.oneIn(6)) return 'error';
    if (this.effectsOf(callId) > 0) return 'found';
    if (this.mayStillLand(callId) && this.choices.oneIn(3)) return 'inProgress';
    return 'notFound';
  }

  /** From now on the operation cannot happen; false when the request does not get through. */
  makeVoid(callId: string): boolean {
    if (this.choices.oneIn(2)) return false;
    this.voided.add(callId);
    return true;
  }

  effectsOf(callId: string): number {
    return this.effects.get(callId) ?? 0;
  }

  mayStillLand(callId: string): boolean {
    return (this.travelling.get(callId) ?? 0) > 0;
  }

  /** What it says of the whole operation it keeps: a request that comes later is refused as well. */
  private refusal(callId: string): TargetAnswer {
    if (this.effectsOf(callId) > 0 || this.mayStillLand(callId) || !this.choices.oneIn(3)) {
      return { status: 'noEffect', scope: 'attempt' };
    }
    this.voided.add(callId);
    return { status: 'noEffect', scope: 'operation' };
  }
}

const COMPLETED: TargetAnswer = { status: 'completed' };
