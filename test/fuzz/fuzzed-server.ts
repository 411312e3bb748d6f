import { randomBytes } from 'node:crypto';
import { anthropicAnswer } from '../support/provider-answers.js';
import { ServerProcess } from '../support/server-process.js';
import { SessionWorker } from '../support/session-worker.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.js';
import { KnownSession, KnownSessions } from './known-values.js';

export const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 3_000);
/** The same requests at each run of the tests; `npm run test:fuzz` looks further, by the time. */
export const SEED = Number(process.env.FUZZ_SEED ?? 1);
const NEW_SESSION_EVERY = 50;
const ANSWER_MS_MAX = 2_000;
const TOOLS = [
  { name: 'refund', effect: 'opaqueWrite' },
  { name: 'search', effect: 'readOnly' },
];

/** A real server with sessions that most requests find something in. */
export class FuzzedServer {
  readonly sessions = new KnownSessions();
  /** Requests that took too long. */
  readonly slow: string[] = [];
  sent = 0;

  private constructor(
    private readonly folder: TemporaryFolder,
    private readonly process: ServerProcess,
  ) {}

  static async start(): Promise<FuzzedServer> {
    const folder = temporaryFolder();
    const server = new FuzzedServer(folder, await ServerProcess.start({ folder }));
    await server.http.post('/v1/tools', { tools: TOOLS });
    for (let made = 0; made < 5; made += 1) await server.addSession();
    return server;
  }

  get http() {
    return this.process.http;
  }

  async end(): Promise<void> {
    await this.process.end('SIGTERM');
    this.folder.remove();
  }

  /** Sends one request, counts it, and now and then adds a new session before it. */
  async timed<Answer>(what: () => string, send: () => Promise<Answer>): Promise<Answer> {
    this.sent += 1;
    if (this.sent % NEW_SESSION_EVERY === 0) await this.addSession();
    const beganAt = performance.now();
    const answer = await send();
    const tookMs = performance.now() - beganAt;
    if (tookMs > ANSWER_MS_MAX) this.slow.push(`${Math.round(tookMs)} ms: ${what()}`);
    return answer;
  }

  /** With a run, a model call and two tool calls that are under way. */
  private async addSession(): Promise<void> {
    const worker = new SessionWorker(this.http);
    const known = new KnownSession(worker.sessionId, randomBytes(16).toString('hex'));
    worker.owner.claimToken = known.claimToken;
    known.remember(await worker.start({ tools: TOOLS }));
    known.remember(await worker.input('Begin.'));
    known.remember(await worker.claim());
    const calls = [
      { id: 'toolu_1', name: 'refund', input: {} },
      { id: 'toolu_2', name: 'search', input: {} },
    ];
    const asked = await worker.turn(anthropicAnswer('Now.', calls), { provider: 'anthropic' });
    for (const { callId } of asked) known.remember(await worker.permit(callId));
    const facts = [{ factId: 'fact-1', kind: 'goal', text: 'It is due.' }];
    await this.http.post(worker.path('/facts'), { facts }, { 'Idempotency-Key': 'facts-1' });
    known.remember(facts);
    known.remember(await worker.events());
    this.sessions.add(known);
  }
}
