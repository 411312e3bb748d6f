import type { ProbeAnswer } from '../domain/http-probe.js';

/** The call that is asked about. */
export interface ProbeQuestion {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly callId: string;
  readonly tool: string;
  readonly opKey: string;
  /** The target's own id of the operation, as far as somebody has reported it. */
  readonly externalRef?: string;
}

export interface ProbeFinding {
  readonly answer: ProbeAnswer;
  readonly externalRef?: string;
  /** What of the target's answer counts; 256 characters of it are kept. */
  readonly excerpt?: string;
}

/**
 * A read-only status query that the program around Holdfast makes. What it throws, or does not answer
 * within 5 seconds, proves nothing.
 */
export type NamedProbe = (question: ProbeQuestion, signal: AbortSignal) => Promise<ProbeFinding>;

const ANSWERS: readonly unknown[] = ['found', 'notFound', 'inProgress', 'unclear', 'error'];
const TOTAL_MS = 5_000;
const EXCERPT_CHARACTERS_MAX = 256;
const NO_ANSWER: ProbeFinding = { answer: 'error' };

/** Built in: of calls that start a child session. */
export const CHILD_SESSION_PROBE = 'childSession';

/** The probes that this program was given, by name. */
export class NamedProbes {
  private readonly probes: Map<string, NamedProbe>;
  readonly names = [CHILD_SESSION_PROBE];

  constructor(probes: Readonly<Record<string, NamedProbe>> = {}) {
    this.probes = new Map(Object.entries(probes));
    this.names.push(...this.probes.keys());
  }

  has(name: string): boolean {
    return this.names.includes(name);
  }

  give(name: string, probe: NamedProbe): void {
    this.probes.set(name, probe);
  }

  async ask(name: string, question: ProbeQuestion): Promise<ProbeFinding> {
    const signal = AbortSignal.timeout(TOTAL_MS);
    try {
      const late = new Promise<ProbeFinding>((resolve) => {
        signal.addEventListener('abort', () => resolve(NO_ANSWER), { once: true });
      });
      return kept(await Promise.race([this.probes.get(name)!(question, signal), late]));
    } catch {
      return NO_ANSWER;
    }
  }
}

/** It is code of somebody else: only what has the right shape goes further. */
function kept({ answer, externalRef, excerpt }: ProbeFinding): ProbeFinding {
  if (!ANSWERS.includes(answer)) return NO_ANSWER;
  const isRef = typeof externalRef === 'string' && /^[\x20-\x7e]{1,256}$/.test(externalRef);
  return {
    answer,
    externalRef: isRef ? externalRef : undefined,
    excerpt: typeof excerpt === 'string' ? excerpt.slice(0, EXCERPT_CHARACTERS_MAX) : undefined,
  };
}
