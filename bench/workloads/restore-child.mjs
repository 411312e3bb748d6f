/** Restores one session in a process that has done nothing else. One JSON line on stdout. */
import { checkMessages, restore } from '../check.mjs';
import { timed } from '../figures.mjs';
import { loadBuild, openProduct } from '../product.mjs';
import { rawRead } from './restore.mjs';

const [dist, folder, sessionId, from, to] = process.argv.slice(2);
const build = await loadBuild(dist);
let openMs = 0;
const opening = {
  ...build,
  openPorts: async (configuration) => {
    const { ms, result } = await timed(() => build.openPorts(configuration));
    openMs = ms;
    return result;
  },
};
const boot = await timed(() => openProduct(opening, folder));
const product = boot.result;
const { ms: restoreMs, result } = await timed(() => restore(product, sessionId));
checkMessages(result.context.messages, Number(from), Number(to));
const window = result.state.watermark?.keptFrom.revision ?? 0;
const raw = await timed(() => rawRead(product.eventFile, product.stream(sessionId), window));
await product.close();
const answer = { restoreMs, openMs, bootMs: boot.ms - openMs, rawMs: raw.ms };
process.stdout.write(`${JSON.stringify(answer)}\n`);
