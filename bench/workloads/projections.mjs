import { Agent } from '../agent.mjs';
import { cpuTimed, timed } from '../figures.mjs';

const BATCH_EVENTS = 1_000;
const SESSIONS = 20;

/** P10, the other half: all read models from the beginning of the log, one after the other. */
export async function catchingUp({ product, options, report }) {
  for (let index = 0; index < SESSIONS; index += 1) {
    const agent = await Agent.start(product);
    await agent.grow(Math.ceil(options.catchUpTurns / SESSIONS));
  }
  const folded = await foldAll(product);
  const slowest = folded.reduce((one, other) => (one.usPerEvent > other.usPerEvent ? one : other));
  const beside = Object.fromEntries(
    folded.map(({ name, usPerEvent, cpuUsPerEvent }) => [
      name,
      { us: usPerEvent, cpuUs: cpuUsPerEvent },
    ]),
  );
  report(
    'P10',
    `catching up, an event of the slowest read model (${slowest.name})`,
    slowest.usPerEvent,
    50,
    'µs',
    { eventsPerSecond: 1e6 / slowest.usPerEvent, events: slowest.events, ...beside },
  );
}

/** Every read model brought up to date with the log; the last one must have seen all events. */
export async function foldAll(product) {
  const folded = [];
  for (const projection of product.build.allProjections) {
    folded.push({ name: projection.name, ...(await foldOne(product, projection)) });
  }
  return folded;
}

async function foldOne({ build, ports }, projection) {
  const live = await build.openLiveGeneration(ports.readModels, projection);
  const fold = new build.BatchFold(ports.readModels, new build.EventCodec(), projection, live);
  await fold.open();
  let events = 0;
  const { cpuMs, result } = await cpuTimed(() =>
    timed(async () => {
      for (;;) {
        const page = await ports.events.readAll(fold.position, BATCH_EVENTS, {
          streamPrefix: 'session-',
        });
        await fold.apply(page.events, page.next);
        events += page.events.length;
        if (page.caughtUp) return;
      }
    }),
  );
  const head = await ports.events.headPosition();
  if (fold.position !== head)
    throw new Error(`${projection.name} stopped at ${fold.position} of ${head}`);
  const each = Math.max(1, events);
  return { events, usPerEvent: (1_000 * result.ms) / each, cpuUsPerEvent: (1_000 * cpuMs) / each };
}
