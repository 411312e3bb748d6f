/** A server that the official client takes for MongoDB: for tests of what meets the client. */
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServerEngine } from './server-engine.js';
import { ServerError } from './server-errors.js';
import { type WireRequest, decodeRequest, encodeReply, takeMessages } from './wire-messages.js';

export interface CommandFault {
  /** 'after': it is applied, and only the answer is lost. */
  readonly when: 'before' | 'after';
  /**
   * 'cut' breaks the connection, 'silence' never answers, an error is answered as it is; a promise
   * holds the command, or its answer, up.
   */
  readonly what: 'cut' | 'silence' | ServerError | Promise<void>;
  /** Only for a command like this. */
  readonly only?: (command: Readonly<Record<string, unknown>>) => boolean;
}

const CONFLICT_PAUSE_MS = 1;

export class MongoDouble {
  readonly engine: ServerEngine;
  /** Every command that came, by name. */
  readonly seen: string[] = [];
  private readonly sockets = new Set<Socket>();
  private readonly faults: (CommandFault & { readonly command: string })[] = [];
  private server: Server | undefined;
  private port = 0;

  constructor({ replicaSet }: { readonly replicaSet: boolean } = { replicaSet: true }) {
    const address = (): string => `127.0.0.1:${this.port}`;
    this.engine = new ServerEngine({ address, replicaSet });
  }

  /** Also after `stop`: on the same port, with what was stored. */
  async start(): Promise<this> {
    const server = createServer((socket) => this.serve(socket));
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
    return this;
  }

  async stop(): Promise<void> {
    const { server } = this;
    if (server === undefined) return;
    this.server = undefined;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  get listeningPort(): number {
    return this.port;
  }

  /** @param port another one, of a proxy that stands in front */
  url(database: string, port = this.port): string {
    return `mongodb://127.0.0.1:${port}/${database}?directConnection=true`;
  }

  /** The next command of this name meets the fault. */
  failNext(command: string, fault: CommandFault): void {
    this.faults.push({ command, ...fault });
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket);
    let received: Buffer[] = [];
    let [bytes, wanted] = [0, 4];
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('data', (chunk) => {
      received.push(chunk);
      bytes += chunk.length;
      if (bytes < wanted) return;
      const { messages, rest } = takeMessages(Buffer.concat(received));
      received = [rest];
      bytes = rest.length;
      wanted = bytes < 4 ? 4 : rest.readInt32LE(0);
      for (const message of messages) void this.answer(socket, decodeRequest(message));
    });
  }

  private async answer(socket: Socket, request: WireRequest): Promise<void> {
    this.seen.push(nameOf(request));
    const before = await this.meetFault(socket, request, 'before');
    if (before === 'noAnswer') return;
    const reply = before ?? (await this.run(request));
    const after = await this.meetFault(socket, request, 'after');
    if (after === 'noAnswer') return;
    const shown = after ?? reply;
    if (request.wantsReply && !socket.destroyed) socket.write(encodeReply(request, shown));
  }

  /** The answer that the fault gives instead of the real one, if any. */
  private async meetFault(
    socket: Socket,
    request: WireRequest,
    when: CommandFault['when'],
  ): Promise<Record<string, unknown> | 'noAnswer' | undefined> {
    const what = this.takeFault(request, when)?.what;
    if (what instanceof ServerError) return failure(what);
    if (what === 'cut') socket.destroy();
    if (what === 'cut' || what === 'silence') return 'noAnswer';
    await what;
    return undefined;
  }

  private async run({ command }: WireRequest): Promise<Record<string, unknown>> {
    for (;;) {
      try {
        return { ...this.engine.run(command), ok: 1 };
      } catch (error) {
        if (this.server !== undefined && this.engine.mayWait(command, error)) {
          await sleep(CONFLICT_PAUSE_MS);
          continue;
        }
        this.engine.failTransaction(command);
        return failure(error);
      }
    }
  }

  private takeFault(request: WireRequest, when: CommandFault['when']): CommandFault | undefined {
    const name = nameOf(request);
    const index = this.faults.findIndex(
      (fault) =>
        fault.command === name && fault.when === when && (fault.only?.(request.command) ?? true),
    );
    return index < 0 ? undefined : this.faults.splice(index, 1)[0];
  }
}

function nameOf({ command }: WireRequest): string {
  return Object.keys(command)[0] ?? '';
}

function failure(error: unknown): Record<string, unknown> {
  if (!(error instanceof ServerError)) {
    return { ok: 0, code: 8, codeName: 'UnknownError', errmsg: String(error) };
  }
  const { code, codeName, message, labels } = error;
  const errorLabels = labels.length > 0 ? { errorLabels: [...labels] } : {};
  return { ok: 0, code, codeName, errmsg: message, ...errorLabels };
}
