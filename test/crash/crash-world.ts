import { join } from 'node:path';
import { AgentProgram, type AgentProcess } from '../support/agent-process.js';
import type { ReceiptBody } from '../support/api-views.js';
import { FakeTarget } from '../support/fake-target.js';
import type { Acknowledged } from '../support/retrying-client.js';
import { ServerProcess } from '../support/server-process.js';
import { SessionWorker } from '../support/session-worker.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.js';

/** Kills of the server: `npm run test:crash` sets the number of a release. */
export function crashKills(usual: number): number {
  const asked = Number(process.env.CRASH_ROUNDS ?? '');
  return Number.isSafeInteger(asked) && asked > 0 ? asked : usual;
}

/** Finds a hang; how long the kills take on a busy machine is none. */
export function crashTimeoutMs(): number {
  return 120_000 + crashKills(20) * 9_000;
}

export const LEASE_TTL_MS = 1_000;

/** A real server, agents in processes of their own, and a target that counts its effects. */
export class CrashWorld {
  private agents = 0;

  private constructor(
    readonly folder: TemporaryFolder,
    readonly target: FakeTarget,
    private readonly targetUrl: string,
    private readonly program: AgentProgram,
    public server: ServerProcess,
  ) {}

  static async open(): Promise<CrashWorld> {
    const folder = temporaryFolder();
    const target = new FakeTarget(join(folder.path, 'effects.txt'));
    const targetUrl = await target.open();
    const server = await CrashWorld.startServer(folder);
    return new CrashWorld(folder, target, targetUrl, new AgentProgram(), server);
  }

  async close(): Promise<void> {
    await this.server.end('SIGKILL');
    this.target.close();
    this.program.remove();
    this.folder.remove();
  }

  worker(sessionId: string, workerId = 'test'): SessionWorker {
    return new SessionWorker(this.server.http, sessionId, workerId);
  }

  startAgent(sessionIds: readonly string[]): AgentProcess {
    this.agents += 1;
    const { url, key } = this.server;
    const workerId = `agent-${this.agents}`;
    return this.program.start({ url, key, targetUrl: this.targetUrl, workerId, sessionIds });
  }

  /** On the same data and the same port, so that whoever is waiting finds it again. */
  async restartServer(): Promise<void> {
    this.server = await CrashWorld.startServer(this.folder, this.server.port);
  }

  /** What the server has promised must be there. Answers what is not. */
  async lostOf(sessionId: string, acks: readonly Acknowledged[]): Promise<readonly Acknowledged[]> {
    const worker = this.worker(sessionId);
    const own = acks.filter(({ path }) => path.startsWith(`${worker.path()}/`));
    const events = await worker.events();
    return own.filter(({ revision, position }) => events[revision]?.position !== position);
  }

  /** Sends everything again that is no permit; answers what was not answered as the first time. */
  async differentWhenRepeated(acks: readonly Acknowledged[]): Promise<readonly string[]> {
    const different: string[] = [];
    for (const { path, body, revision, position } of acks) {
      if (/\/(model-calls|start)$/.test(path)) continue;
      const answer = await this.server.http.post<ReceiptBody>(path, body);
      const { body: again } = answer;
      const isSame = again.replayed && again.revision === revision && again.position === position;
      if (!isSame) different.push(`${path}: ${answer.status} ${answer.text}`);
    }
    return different;
  }

  private static startServer(folder: TemporaryFolder, port?: number): Promise<ServerProcess> {
    const environment = { HOLDFAST_LEASE_TTL_MS: String(LEASE_TTL_MS) };
    return ServerProcess.start({ folder, port, environment });
  }
}
