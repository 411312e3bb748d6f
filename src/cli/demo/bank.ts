import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Charge {
  readonly key: string;
  readonly amount: string;
}

/**
 * A bank that does what it is told, every time it is told, and can be asked what it did. Its
 * answer to a payment is held back until `answer` is called: that is when the caller dies.
 */
export class FakeBank {
  readonly charges: Charge[] = [];
  private holdBack = true;
  private onCharge: () => void = () => undefined;
  private readonly server = createServer((request, reply) => void this.serve(request, reply));

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The next payment is made and its answer held back; resolves when the money has moved. */
  nextCharge(): Promise<void> {
    this.holdBack = true;
    return new Promise((resolve) => {
      this.onCharge = resolve;
    });
  }

  /** From now on payments are answered. */
  answer(): void {
    this.holdBack = false;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async serve(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const { searchParams } = new URL(request.url ?? '/', 'http://bank');
    if (request.method === 'GET') {
      const found = this.charges.filter((charge) => charge.key === searchParams.get('key'));
      return send(reply, { payments: found });
    }
    const { key, amount } = JSON.parse(await bodyOf(request)) as Charge;
    this.charges.push({ key, amount });
    this.onCharge();
    if (!this.holdBack) send(reply, { receipt: `R-${this.charges.length}`, amount });
  }
}

function send(reply: ServerResponse, answer: object): void {
  reply.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
