import { DemoAgent } from './agent.js';
import { HoldfastClient } from './holdfast-client.js';
import { runNaiveAgent } from './naive-agent.js';

/** The process that the demo kills. What it has to say goes to stdout, one JSON line each. */
const [kind, ...args] = process.argv.slice(2);

if (kind === 'naive') {
  const [historyFile = '', bankUrl = ''] = args;
  await runNaiveAgent(historyFile, bankUrl);
} else {
  const [url = '', sessionId = '', bankUrl = '', workerId = ''] = args;
  const holdfast = new HoldfastClient(url, process.env.DEMO_KEY ?? '');
  const report = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
  await new DemoAgent(holdfast, { sessionId, bankUrl, workerId, report }).run();
}
