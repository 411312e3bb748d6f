import { EgressError } from './egress-error.js';

/** Per tenant and target host, so that a tenant's probes are no flood and no scan. */
export const REQUESTS_PER_MINUTE_MAX = 60;
const WINDOW_MS = 60_000;

export class RequestQuota {
  private windowStartMs = 0;
  private readonly counts = new Map<string, number>();

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** @throws EgressError `tooManyRequests` */
  take(tenantId: string, host: string): void {
    if (this.nowMs() - this.windowStartMs >= WINDOW_MS) {
      this.windowStartMs = this.nowMs();
      this.counts.clear();
    }
    const key = JSON.stringify([tenantId, host]);
    const count = this.counts.get(key) ?? 0;
    if (count >= REQUESTS_PER_MINUTE_MAX) {
      throw new EgressError('tooManyRequests', `${host}: ${REQUESTS_PER_MINUTE_MAX} in a minute`);
    }
    this.counts.set(key, count + 1);
  }
}
