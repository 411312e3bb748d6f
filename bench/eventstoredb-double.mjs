import { fork } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = join(ROOT, 'test/support/eventstoredb');
/** Beside the packages that the double needs, and outside of what is checked in. */
const BUILT = join(ROOT, 'node_modules/.cache/holdfast-bench/eventstoredb');

/** The tests' double of EventStoreDB in a process of its own, so that only the client is measured. */
export class EventStoreDbProcess {
  static async start() {
    const child = fork(fileURLToPath(import.meta.url), [await built()]);
    const url = await new Promise((resolve, reject) => {
      child.once('message', resolve);
      child.once('exit', (code) => reject(new Error(`EventStoreDB's double ended with ${code}`)));
    });
    return new EventStoreDbProcess(child, url);
  }

  constructor(child, url) {
    this.child = child;
    this.url = url;
  }

  /** Calls so far, by method. */
  calls() {
    return new Promise((resolve) => {
      this.child.once('message', resolve);
      this.child.send('calls');
    });
  }

  stop() {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    return ended;
  }
}

async function built() {
  const { transformFile } = await import('@swc/core');
  mkdirSync(BUILT, { recursive: true });
  for (const name of readdirSync(SOURCES).filter((file) => /(?<!\.spec)\.ts$/.test(file))) {
    const { code } = await transformFile(join(SOURCES, name), { cwd: ROOT });
    writeFileSync(join(BUILT, name.replace(/\.ts$/, '.js')), code);
  }
  writeFileSync(join(BUILT, 'package.json'), '{"type":"module"}');
  return join(BUILT, 'eventstoredb-double.js');
}

async function serve(file) {
  const { EventStoreDbDouble } = await import(pathToFileURL(file).href);
  const double = await EventStoreDbDouble.start();
  process.on('message', () => {
    const counts = {};
    for (const { method } of double.calls.seen) counts[method] = (counts[method] ?? 0) + 1;
    process.send(counts);
  });
  process.send(double.url);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await serve(process.argv[2]);
