import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HttpClient } from './http-client.js';
import { storesEnvironment } from './stores-under-test.js';
import type { TemporaryFolder } from './temporary-folder.js';

const PROGRAM = join(import.meta.dirname, '../../bin/holdfast.mjs');
const START_MS_MAX = 120_000;

export interface ServerProcessOptions {
  readonly folder: TemporaryFolder;
  /** Default: any free one. */
  readonly port?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** `holdfast serve`, built, in a process of its own that can be killed. */
export class ServerProcess {
  readonly http: HttpClient;
  readonly port: number;

  private constructor(
    private readonly child: ChildProcess,
    readonly ended: Promise<ProcessEnd>,
    readonly url: string,
    readonly key: string,
    private readonly heard: readonly Buffer[],
  ) {
    this.http = new HttpClient(url, key);
    this.port = Number(new URL(url).port);
  }

  static async start(options: ServerProcessOptions): Promise<ServerProcess> {
    const { folder, port = 0, environment = {} } = options;
    const stores = await storesEnvironment(folder.path);
    const child = spawn(process.execPath, [PROGRAM, 'serve'], {
      env: {
        PATH: process.env.PATH,
        HOME: folder.path,
        HOLDFAST_DATA_DIR: join(folder.path, 'data'),
        HOLDFAST_PORT: String(port),
        HOLDFAST_LOG_LEVEL: 'error',
        ...stores,
        ...environment,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const heard: Buffer[] = [];
    child.stderr.on('data', (chunk: Buffer) => heard.push(chunk));
    const ended = endOf(child);
    const url = await readyUrl(child, ended);
    const key = readFileSync(join(folder.path, 'data-keys', 'api-key'), 'utf8').trim();
    return new ServerProcess(child, ended, url, key, heard);
  }

  /** All that it wrote to stderr. */
  get said(): string {
    return Buffer.concat(this.heard).toString('utf8');
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** Sends the signal and waits until the process is gone. */
  async end(signal: NodeJS.Signals): Promise<ProcessEnd> {
    this.child.kill(signal);
    const end = await this.ended;
    this.http.close();
    return end;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }
}

export function endOf(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
}

/** @throws when it ends, or says nothing for too long. */
function readyUrl(child: ChildProcess, ended: Promise<ProcessEnd>): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const timer = setTimeout(() => {
      reject(new Error(`the server did not start: ${text}`));
      child.kill('SIGKILL');
    }, START_MS_MAX);
    child.stderr!.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      const url = /ready at (http:\S+)/.exec(text)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    });
    void ended.then(({ code }) => {
      clearTimeout(timer);
      reject(new Error(`the server ended with ${code}: ${text}`));
    });
  });
}
