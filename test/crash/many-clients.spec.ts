import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DELIVERIES_AT_ONCE_MAX } from '../../src/domain/decide-claim.js';
import type { ProblemBody } from '../support/api-views.js';
import { crashKills, crashTimeoutMs } from './crash-world.js';
import { type Answer, HttpClient, type Sending } from '../support/http-client.js';
import { anthropicAnswer } from '../support/provider-answers.js';
import { ServerProcess } from '../support/server-process.js';
import { SessionWorker } from '../support/session-worker.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.js';

jest.setTimeout(crashTimeoutMs());

const CLIENTS = 32;
/** 10 in the usual run; more than 10,000 inputs in all in a release's run. */
const INPUTS_EACH = Math.ceil(crashKills(8) * 1.26);

let folder: TemporaryFolder;
let server: ServerProcess;
beforeAll(async () => {
  folder = temporaryFolder();
  server = await ServerProcess.start({ folder });
});
afterAll(async () => {
  await server.end('SIGTERM');
  folder.remove();
});

const counts = { accepted: 0, conflicts: 0 };

/** Sends again when other writers were faster, or when too many inputs wait for the run. */
class PatientClient extends HttpClient {
  override async send<Body>(
    method: string,
    path: string,
    sending?: Sending,
  ): Promise<Answer<Body>> {
    for (;;) {
      const answer = await super.send<Body>(method, path, sending);
      const { code, limit } = (answer.body ?? {}) as Partial<ProblemBody>;
      if (code === 'version_conflict') counts.conflicts += 1;
      else if (limit !== 'pendingInputsMax') return answer;
      await pause(20);
    }
  }
}

function patientClient(): PatientClient {
  return new PatientClient(server.url, server.key);
}

/** Each input is sent twice at the same time, as an impatient client does. */
async function sendAll(client: number, sessionId: string): Promise<ReadonlyMap<string, number>> {
  const sender = new SessionWorker(patientClient(), sessionId);
  const revisions = new Map<string, number>();
  for (let index = 0; index < INPUTS_EACH; index += 1) {
    const inputId = `${client}-${index}`;
    const send = () => sender.input(`Input ${inputId}.`, { inputId });
    const [one, other] = await Promise.all([send(), send()]);
    expect(one.revision).toBe(other.revision);
    expect(new Set([one.replayed, other.replayed])).toEqual(new Set([false, true]));
    revisions.set(inputId, one.revision);
  }
  sender.http.close();
  return revisions;
}

/** Runs the session again and again until nothing waits and everybody has sent. */
async function runUntil(worker: SessionWorker, isOver: () => boolean): Promise<void> {
  for (;;) {
    const over = isOver();
    worker.owner = { epoch: 0, claimToken: randomBytes(16).toString('hex') };
    const claimed = await worker.claim().catch(nothingToRun);
    if (claimed === undefined && over) return;
    if (claimed === undefined) continue;
    await modelCall(worker);
    await worker.complete();
  }
}

/** Delivers what waits; the input itself is left unbuilt, it would hold everything sent so far. */
async function modelCall(worker: SessionWorker): Promise<void> {
  const { pendingInputs } = await worker.read();
  const delivers = pendingInputs.slice(0, DELIVERIES_AT_ONCE_MAX).map(({ inputId }) => inputId);
  const modelCallId = randomUUID();
  await worker.post('/model-calls', { modelCallId, delivers });
  await worker.settle(modelCallId, { response: anthropicAnswer('Yes.') });
}

function nothingToRun(error: unknown): undefined {
  if (!String(error).includes('nothing_to_run')) throw error;
}

describe(`${CLIENTS} clients that write into one session while it runs`, () => {
  it('lose no input and double none, and its revisions have no gap', async () => {
    const worker = new SessionWorker(patientClient());
    await worker.start();
    let over = false;
    const running = runUntil(worker, () => over);
    const sending = Array.from({ length: CLIENTS }, (_, client) =>
      sendAll(client, worker.sessionId),
    );
    const acknowledged = new Map((await Promise.all(sending)).flatMap((map) => [...map]));
    over = true;
    await running;

    const events = await worker.events();
    expect(events.map(({ revision }) => revision)).toEqual(events.map((_, index) => index));
    const accepted = events.filter(({ type }) => type === 'InputAccepted');
    expect(acknowledged.size).toBe(CLIENTS * INPUTS_EACH);
    expect(new Map(accepted.map(({ data, revision }) => [data.inputId, revision]))).toEqual(
      acknowledged,
    );
    expect(accepted).toHaveLength(acknowledged.size);
    const delivered = events.filter(({ type }) => type === 'InputDelivered');
    expect(delivered.map(({ data }) => data.inputId)).toEqual(
      accepted.map(({ data }) => data.inputId),
    );
    counts.accepted = accepted.length;
    // One process serves them all, so they never get into each other's way.
    expect(counts.conflicts).toBe(0);
    process.stderr.write(`many clients: ${JSON.stringify(counts)}\n`);
  });
});
