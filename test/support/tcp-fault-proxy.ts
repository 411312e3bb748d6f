import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

/**
 * Stands between a client and any TCP server, and fails as networks do: refuses connections, cuts
 * them, or lets nothing through while they stay open.
 */
export class TcpFaultProxy {
  private readonly pairs = new Set<Pair>();
  private server: Server | undefined;
  private silent = false;
  private listeningPort = 0;

  private constructor(private readonly targetPort: number) {}

  static async start(targetPort: number): Promise<TcpFaultProxy> {
    const proxy = new TcpFaultProxy(targetPort);
    await proxy.accept();
    return proxy;
  }

  get port(): number {
    return this.listeningPort;
  }

  /** Connections that are open now. */
  get connectionCount(): number {
    return this.pairs.size;
  }

  /** Cuts what is open; new connections are accepted. */
  cut(): void {
    for (const { client, server } of this.pairs) {
      client.resetAndDestroy();
      server.destroy();
    }
    this.pairs.clear();
  }

  /** Cuts what is open and refuses new connections, until `accept`. */
  async refuse(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    this.cut();
    if (server !== undefined) await new Promise((resolve) => server.close(resolve));
  }

  /** Takes connections again, on the same port. */
  async accept(): Promise<void> {
    if (this.server !== undefined) return;
    const server = createServer((client) => this.join(client));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.listeningPort, '127.0.0.1', resolve);
    });
    this.listeningPort = (server.address() as AddressInfo).port;
    this.server = server;
  }

  /** Nothing passes any more, in either direction; nobody is told. */
  silence(): void {
    this.silent = true;
    for (const { client, server } of this.pairs) {
      client.pause();
      server.pause();
    }
  }

  /** What waited passes, late. */
  speak(): void {
    this.silent = false;
    for (const { client, server } of this.pairs) {
      client.resume();
      server.resume();
    }
  }

  async stop(): Promise<void> {
    await this.refuse();
  }

  private join(client: Socket): void {
    const server = connect(this.targetPort, '127.0.0.1');
    const pair = { client, server };
    this.pairs.add(pair);
    const end = () => {
      this.pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.setNoDelay(true);
      from.on('data', (bytes: Buffer) => {
        if (!to.write(bytes)) {
          from.pause();
          to.once('drain', () => {
            if (!this.silent) from.resume();
          });
        }
      });
      from.on('error', end);
      from.on('close', end);
    }
    if (!this.silent) return;
    client.pause();
    server.pause();
  }
}
