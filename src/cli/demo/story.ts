import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openPorts, readApiKey } from '../../app/open-ports.js';
import { createServer } from '../../app/server.js';
import { loadConfiguration } from '../../config/load-configuration.js';
import type { SessionCost } from '../../projections/cost-tree/cost-tree.query.js';
import { costText } from '../cost-text.js';
import { say } from '../output.js';
import type { AgentLine } from './agent.js';
import { FakeBank } from './bank.js';
import { HoldfastClient } from './holdfast-client.js';

const CHILD = fileURLToPath(new URL('./child.js', import.meta.url));
const LEASE_TTL_MS = 1_000;
const SESSION = 'invoice-4711';

/** What the demo saw; it fails when the story did not hold. */
export interface DemoOutcome {
  readonly charges: number;
  readonly chargesOfNaiveLoop: number;
  readonly stateAfterKill: string;
  readonly stateAfterAsking: string;
  readonly answer: string;
  readonly forkOwnCost: string;
  readonly inclusiveCost: string;
  readonly holds: boolean;
}

/** The whole story with real processes: one is killed by SIGKILL in the middle of a payment. */
export async function runDemo(): Promise<DemoOutcome> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-demo-'));
  const configuration = loadConfiguration({
    HOLDFAST_DATA_DIR: join(folder, 'data'),
    HOLDFAST_PORT: '0',
    HOLDFAST_LEASE_TTL_MS: String(LEASE_TTL_MS),
    HOLDFAST_LOG_LEVEL: 'error',
  });
  const ports = await openPorts(configuration);
  const app = await createServer({ ports, configuration });
  const bank = new FakeBank();
  try {
    await app.listen(0, '127.0.0.1');
    const url = await app.getUrl();
    const key = await readApiKey(configuration);
    const bankUrl = await bank.open();
    return await new Story(url, key, bank, bankUrl, folder).tell();
  } finally {
    bank.close();
    await app.close();
    await ports.close();
    await rm(folder, { recursive: true, force: true });
  }
}

class Story {
  private readonly holdfast: HoldfastClient;

  constructor(
    private readonly url: string,
    private readonly key: string,
    private readonly bank: FakeBank,
    private readonly bankUrl: string,
    private readonly folder: string,
  ) {
    this.holdfast = new HoldfastClient(url, key);
  }

  async tell(): Promise<DemoOutcome> {
    await this.beginAndKill();
    const lines = await this.restoreAndContinue();
    const chargesOfNaiveLoop = await this.naiveLoop();
    const { forkOwnCost, inclusiveCost } = await this.forkAndCost();
    const found = lines.find((line) => line.kind === 'found');
    const asked = lines.find((line) => line.kind === 'asked');
    const said = lines.findLast((line) => line.kind === 'said');
    const seen = {
      charges: this.bank.charges.filter(({ key }) => key === found?.opKey).length,
      chargesOfNaiveLoop,
      stateAfterKill: found?.state ?? '',
      stateAfterAsking: asked?.state ?? '',
      answer: said?.text ?? '',
      forkOwnCost,
      inclusiveCost,
    };
    const holds =
      seen.charges === 1 && chargesOfNaiveLoop === 2 && seen.stateAfterKill === 'unknown';
    return { ...seen, holds };
  }

  private async beginAndKill(): Promise<void> {
    say('1. An agent works. Every step is durable before it happens.');
    await this.holdfast.post('/sessions', {
      sessionId: SESSION,
      title: 'Pay invoice 4711',
      profile: { name: 'demo', version: '1', provider: 'anthropic', model: 'claude-sonnet-4-5' },
      tools: [
        { name: 'look_up_invoice', effect: 'readOnly' },
        { name: 'pay_invoice', effect: 'queryableWrite', notFoundIsFinalAfterMs: 60_000 },
      ],
    });
    await this.holdfast.post(`/sessions/${SESSION}/inputs`, {
      inputId: 'request-1',
      content: 'Pay invoice 4711.',
    });
    const paid = this.bank.nextCharge();
    const agent = this.startAgent('agent-1', tellWork);
    await paid;
    say('2. The bank has moved the money. Before it can answer, the agent is killed (SIGKILL).');
    agent.process.kill('SIGKILL');
    await agent.ended;
    this.bank.answer();
  }

  private async restoreAndContinue(): Promise<readonly AgentLine[]> {
    say('3. A new agent process restores the session.');
    const lines: AgentLine[] = [];
    const agent = this.startAgent('agent-2', (line) => {
      lines.push(line);
      tellRecovery(line);
    });
    await agent.ended;
    return lines;
  }

  /** The same model, the same bank, the same moment of death, and a history in a file. */
  private async naiveLoop(): Promise<number> {
    const before = this.bank.charges.length;
    const history = join(this.folder, 'naive-history.json');
    const paid = this.bank.nextCharge();
    const first = this.startChild(['naive', history, this.bankUrl], () => undefined);
    await paid;
    first.process.kill('SIGKILL');
    await first.ended;
    this.bank.answer();
    await this.startChild(['naive', history, this.bankUrl], () => undefined).ended;
    const charges = this.bank.charges.length - before;
    say(`4. The bank shows ${before} charge for Holdfast's agent.`);
    say(
      `   A plain loop that runs an unanswered call again, killed at the same moment: ${charges} charges.`,
    );
    return charges;
  }

  private async forkAndCost(): Promise<{ forkOwnCost: string; inclusiveCost: string }> {
    say('5. A fork goes on from the same history by reference; cost flows up the tree.');
    const fork = await this.holdfast.post<{ position: string }>(`/sessions/${SESSION}/forks`, {
      forkId: 'what-if',
      title: 'What if we had asked for a discount?',
    });
    const path = (id: string) => `/sessions/${id}/cost?atLeast=${fork.position}`;
    const forkCost = await this.holdfast.get<SessionCost>(path('what-if'));
    const cost = await this.holdfast.get<SessionCost>(path(SESSION));
    say(costText(cost).replace(/^/gm, '   '));
    return {
      forkOwnCost: forkCost.own.amounts[0]?.amount ?? '0',
      inclusiveCost: cost.inclusive.amounts[0]?.amount ?? '0',
    };
  }

  private startAgent(workerId: string, hear: (line: AgentLine) => void): RunningChild {
    return this.startChild([workerId, this.url, SESSION, this.bankUrl, workerId], (text) =>
      hear(JSON.parse(text) as AgentLine),
    );
  }

  private startChild(args: readonly string[], hear: (line: string) => void): RunningChild {
    const child = spawn(process.execPath, [CHILD, ...args], {
      env: { ...process.env, DEMO_KEY: this.key },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    createInterface({ input: child.stdout }).on('line', hear);
    const ended = once(child, 'close').then(([code, signal]) => {
      if (code !== 0 && signal !== 'SIGKILL')
        throw new Error(`the agent ended with ${String(code)}`);
    });
    return { process: child, ended };
  }
}

interface RunningChild {
  readonly process: ChildProcess;
  readonly ended: Promise<void>;
}

function tellWork(line: AgentLine): void {
  if (line.kind === 'said') say(`   model: "${line.text}"`);
  if (line.kind === 'calls')
    say(`   calls ${line.tool} (permit of attempt ${line.attempt} stored)`);
}

function tellRecovery(line: AgentLine): void {
  switch (line.kind) {
    case 'claimed':
      return say(`   ended by: ${line.stoppedBy}; claimed as ${line.reason}`);
    case 'found':
      return say(
        `   ${line.tool}: ${line.state}, not retried. Operation key ${line.opKey.slice(0, 11)}…`,
      );
    case 'asked':
      return say(
        `   the bank, asked by that key: ${line.answer}. Evidence recorded: ${line.state}`,
      );
    case 'said':
      return say(`   model: "${line.text}"`);
    case 'calls':
      return say(`   calls ${line.tool} (attempt ${line.attempt})`);
  }
}
