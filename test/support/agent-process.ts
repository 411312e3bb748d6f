import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { StandingBody } from './api-views.js';
import { type CompiledSources, compileForChildren } from './compile-for-children.js';
import type { Acknowledged } from './retrying-client.js';
import { type ProcessEnd, endOf } from './server-process.js';

/** What `children/crash-agent.ts` says, line by line. */
export type AgentLine =
  | { readonly ack: Acknowledged }
  | { readonly claimed: string; readonly reason: string; readonly standing: StandingBody }
  | {
      readonly found: string;
      readonly state: string;
      readonly attempts: number;
      readonly opKey: string;
    }
  | { readonly late: string; readonly refused: readonly string[] };

export interface AgentTask {
  readonly url: string;
  readonly key: string;
  readonly targetUrl: string;
  readonly workerId: string;
  readonly sessionIds: readonly string[];
}

/** Starts agents in processes of their own, which can be killed. */
export class AgentProgram {
  private readonly compiled: CompiledSources = compileForChildren(['test/support']);

  start({ key, ...task }: AgentTask): AgentProcess {
    const program = this.compiled.fileOf('test/support/children/crash-agent.ts');
    const child = spawn(process.execPath, [program, JSON.stringify(task)], {
      env: { PATH: process.env.PATH, AGENT_KEY: key },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new AgentProcess(child);
  }

  remove(): void {
    this.compiled.remove();
  }
}

export class AgentProcess {
  readonly lines: AgentLine[] = [];
  private readonly ended: Promise<ProcessEnd>;
  private complaints = '';

  constructor(private readonly child: ChildProcess) {
    this.ended = endOf(child);
    createInterface({ input: child.stdout! }).on('line', (line) => {
      this.lines.push(JSON.parse(line) as AgentLine);
    });
    child.stderr!.on('data', (chunk: Buffer) => {
      this.complaints += chunk.toString('utf8');
    });
  }

  acknowledged(): readonly Acknowledged[] {
    return this.lines.flatMap((line) => ('ack' in line ? [line.ack] : []));
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async end(signal: NodeJS.Signals): Promise<ProcessEnd> {
    this.child.kill(signal);
    return this.ended;
  }

  /** @throws when it did not end by itself with success. */
  async done(): Promise<void> {
    const { code, signal } = await this.ended;
    if (code === 0) return;
    throw new Error(`the agent ended with ${code ?? signal}: ${this.complaints.slice(0, 2_000)}`);
  }
}
