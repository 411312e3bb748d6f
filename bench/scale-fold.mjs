/**
 * Brings one read model of a store up to date, in a process of its own, until it is or the time is over.
 * node bench/scale-fold.mjs <dist> <folder> <projection> <when to end, in ms since 1970>
 * Prints one line of JSON: how many events it took in, in how long, with how much processor time.
 */
import { cpuTimed, timed } from './figures.mjs';
import { loadBuild, openProduct } from './product.mjs';

const BATCH_EVENTS = 1_000;
const [dist, folder, name, endsAt] = process.argv.slice(2);

const product = await openProduct(await loadBuild(dist), folder);
try {
  const { build, ports } = product;
  const projection = build.allProjections.find((one) => one.name === name);
  const live = await build.openLiveGeneration(ports.readModels, projection);
  const fold = new build.BatchFold(ports.readModels, new build.EventCodec(), projection, live);
  await fold.open();
  let events = 0;
  let isUpToDate = false;
  const { cpuMs, result } = await cpuTimed(() =>
    timed(async () => {
      while (!isUpToDate && Date.now() < Number(endsAt)) {
        const filter = { streamPrefix: 'session-' };
        const page = await ports.events.readAll(fold.position, BATCH_EVENTS, filter);
        await fold.apply(page.events, page.next);
        events += page.events.length;
        isUpToDate = page.caughtUp;
      }
    }),
  );
  process.stdout.write(
    `${JSON.stringify({ name, events, isUpToDate, seconds: result.ms / 1_000, cpuMs })}\n`,
  );
} finally {
  await product.close();
}
