import type { ReceiptBody } from '../support/api-views.js';
import type { HttpClient } from '../support/http-client.js';
import type { Acknowledged } from '../support/retrying-client.js';

const INPUTS_EACH = 6;
export const PRODUCERS = ['red', 'blue'] as const;

/** Two senders of inputs, each with an order of its own; the server may die under them. */
export class InputProducers {
  readonly acknowledged: Acknowledged[] = [];
  private onAcknowledged: () => void = () => undefined;

  constructor(private readonly path: string) {}

  /** All ids in the order in which one producer sends them. */
  static idsOf(producer: string): readonly string[] {
    return Array.from({ length: INPUTS_EACH }, (_, index) => `${producer}-${index}`);
  }

  /** Ends at the first request that gets no answer. */
  async send(http: HttpClient): Promise<void> {
    await Promise.all(PRODUCERS.map((producer) => this.sendOf(producer, http)));
  }

  /** Resolves when so many inputs have been acknowledged. */
  async atLeast(count: number): Promise<void> {
    while (this.acknowledged.length < count) {
      await new Promise<void>((resolve) => {
        this.onAcknowledged = resolve;
      });
    }
  }

  private async sendOf(producer: string, http: HttpClient): Promise<void> {
    for (const inputId of InputProducers.idsOf(producer)) {
      const body = { inputId, content: `Input ${inputId}.` };
      const answer = await sent(http, this.path, body);
      if (answer === undefined) return;
      const { revision, position, replayed } = answer;
      if (!replayed) this.acknowledged.push({ path: this.path, body, revision, position });
      this.onAcknowledged();
    }
  }
}

/** undefined: no answer. A conflict with other writers is sent again, as its problem says. */
async function sent(
  http: HttpClient,
  path: string,
  body: object,
): Promise<ReceiptBody | undefined> {
  for (;;) {
    const answer = await http.post<ReceiptBody>(path, body).catch(() => undefined);
    if (answer === undefined) return undefined;
    if (answer.status < 300) return answer.body;
    if (answer.status !== 409) throw new Error(`${path} answered ${answer.text}`);
  }
}
