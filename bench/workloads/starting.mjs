import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median } from '../figures.mjs';
import { Server } from '../server.mjs';

const PROGRAM = fileURLToPath(new URL('../../bin/holdfast.mjs', import.meta.url));
const STARTS = 7;

/** P12: what somebody at a terminal waits for, beside a Node that does nothing. */
export async function starting({ product, folder, options, report }) {
  const helps = [];
  const nodes = [];
  for (let index = 0; index < STARTS; index += 1) {
    nodes.push(run(['-e', '0']));
    helps.push(run([PROGRAM, '--help'], /Exit codes/));
  }
  report('P12', 'holdfast --help', median(helps), 120, 'ms', { nodeAloneMs: median(nodes) });
  const ready = [];
  for (let index = 0; index < Math.max(3, options.rounds); index += 1) {
    const server = await Server.start(folder);
    ready.push(server.readyMs);
    await server.demand('GET', '/v1/sessions?first=1');
    await server.stop();
  }
  const events = Number(await product.ports.events.headPosition());
  report('P12', 'holdfast serve until it is ready', median(ready), 1_500, 'ms', { events });
}

function run(args, wanted = /^/) {
  const startedAt = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const ms = performance.now() - startedAt;
  if (status !== 0 || !wanted.test(stdout)) throw new Error(`${args.join(' ')}: ${stderr}`);
  return ms;
}
