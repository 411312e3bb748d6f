/** Fields of an answer whose values later requests use: without them all would end in "not found". */
const REMEMBERED = new Set([
  'callId',
  'cardId',
  'compactionId',
  'contextId',
  'epoch',
  'eventId',
  'factId',
  'forkId',
  'hash',
  'inputId',
  'inputRevision',
  'keyId',
  'messageId',
  'modelCallId',
  'next',
  'opKey',
  'position',
  'prefixHash',
  'revision',
  'runId',
]);
const VALUES_MAX = 12;
const SESSIONS_MAX = 40;

type Value = string | number;

/** What one session's answers told. */
export class KnownSession {
  private readonly values = new Map<string, Value[]>();

  constructor(
    readonly sessionId: string,
    readonly claimToken: string,
  ) {}

  /** The newest when `index` is 0. */
  pick(name: string, index: number): Value | undefined {
    const known = this.values.get(name) ?? [];
    return known[known.length - 1 - (index % Math.max(known.length, 1))];
  }

  remember(answer: unknown): void {
    if (typeof answer !== 'object' || answer === null) return;
    for (const [name, value] of Object.entries(answer)) {
      const known = typeof value === 'string' || typeof value === 'number';
      if (known && REMEMBERED.has(name)) this.add(name, value);
      else this.remember(value);
    }
  }

  private add(name: string, value: Value): void {
    const known = this.values.get(name) ?? [];
    const others = known.filter((each) => each !== value).slice(1 - VALUES_MAX);
    this.values.set(name, [...others, value]);
  }
}

/** The sessions that requests speak of; the oldest make room. */
export class KnownSessions {
  private sessions: KnownSession[] = [];

  add(session: KnownSession): void {
    this.sessions = [...this.sessions.slice(1 - SESSIONS_MAX), session];
  }

  /** The newest when `index` is 0. @throws Error while there is none. */
  pick(index: number): KnownSession {
    const found = this.sessions.at(-1 - (index % this.sessions.length));
    if (found === undefined) throw new Error('no session is known');
    return found;
  }
}
