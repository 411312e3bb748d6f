import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

const PROGRAM = fileURLToPath(new URL('../bin/holdfast.mjs', import.meta.url));
/** Linux counts processor time of other processes in hundredths of a second. */
const TICK_MS = 10;

/** `holdfast serve` in a process of its own, and a client that keeps its connections. */
export class Server {
  static async start(folder, environment = {}) {
    const startedAt = performance.now();
    const child = spawn(process.execPath, [PROGRAM, 'serve'], {
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        HOLDFAST_DATA_DIR: join(folder, 'data'),
        HOLDFAST_KEYS_DIR: join(folder, 'keys'),
        HOLDFAST_PORT: '0',
        HOLDFAST_LOG_LEVEL: 'error',
        ...environment,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const url = await readyUrl(child);
    const readyMs = performance.now() - startedAt;
    return new Server(
      child,
      url,
      readFileSync(join(folder, 'keys', 'api-key'), 'utf8').trim(),
      readyMs,
    );
  }

  constructor(child, url, key, readyMs) {
    this.child = child;
    this.url = url;
    this.key = key;
    this.readyMs = readyMs;
    this.agent = new http.Agent({ keepAlive: true, maxSockets: 128 });
  }

  /** @returns the status and the answer's body as JSON. */
  ask(method, path, body, more = {}) {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${this.key}`,
      ...more,
      ...(text === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    };
    return new Promise((resolve, reject) => {
      const request = http.request(`${this.url}${path}`, { method, headers, agent: this.agent });
      request.on('error', reject);
      request.on('response', (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const heard = Buffer.concat(chunks).toString('utf8');
          resolve({ status: response.statusCode, body: heard === '' ? undefined : parsed(heard) });
        });
      });
      request.end(text);
    });
  }

  /** As `ask`; anything but a success is an error of the benchmark. */
  async demand(method, path, body, more) {
    const answer = await this.ask(method, path, body, more);
    if (answer.status >= 200 && answer.status < 300) return answer.body;
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }

  /** Processor time of the process so far, user and system; undefined where /proc is missing. */
  cpuMs() {
    const file = `/proc/${this.child.pid}/stat`;
    if (!existsSync(file)) return undefined;
    const text = readFileSync(file, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return TICK_MS * (Number(fields[11]) + Number(fields[12]));
  }

  residentMib() {
    const text = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(text)[1]) / 1024;
  }

  async stop() {
    this.agent.destroy();
    const ended = new Promise((resolve) => this.child.once('close', resolve));
    this.child.kill('SIGTERM');
    await ended;
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function readyUrl(child) {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk.toString('utf8');
      const url = /ready at (http:\S+)/.exec(said)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.once('close', (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
}

/** Bytes of all files below a folder. */
export function folderBytes(folder, statSync) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
