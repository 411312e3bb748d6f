import type { EsdbFaults } from './esdb-faults.js';
import type { EsdbLog } from './esdb-log.js';

interface OpenCall {
  once(event: string, listener: () => void): unknown;
  emit(event: string, error: unknown): unknown;
}

/** What the calls of one double share: the log, the faults, and a record of what was called. */
export class EsdbCalls {
  /** Every call in order: the method and the stream. */
  readonly seen: { readonly method: string; readonly stream: string }[] = [];
  /** Streams of the server that are open now. */
  readonly open = new Set<OpenCall>();
  port = 0;
  /** Events that were sent in answers to reads and subscriptions. */
  eventsSent = 0;

  constructor(
    readonly log: EsdbLog,
    readonly faults: EsdbFaults,
    readonly appendBytesMax: number,
  ) {}

  saw(method: string, stream: string): void {
    this.seen.push({ method, stream });
  }

  countOf(method: string): number {
    return this.seen.filter((call) => call.method === method).length;
  }

  opened(call: OpenCall): void {
    this.open.add(call);
    for (const end of ['close', 'cancelled', 'end']) {
      call.once(end, () => this.open.delete(call));
    }
  }
}
