import { exponent, median, timed, cpuTimed } from '../figures.mjs';
import { TENANT } from '../product.mjs';

const SIZES = [1_000, 3_000, 10_000, 100_000];
export const CHILDREN_EACH = 10;
export const CALLS_EACH = 2;
const READS = 300;
const WRITERS = 64;
const BATCH_EVENTS = 1_000;
export const PICO = 123_456_789n;
const AT = '2026-01-05T09:00:00.000Z';

/**
 * P7: trees of 1,000 to 100,000 sessions, ten children to a session. Reading any node's inclusive
 * cost is one document, a page of its children one stretch of an index, whatever lies below.
 */
export async function costTree({ product, options, report }) {
  const sizes = SIZES.filter((size) => size <= options.treeSessions);
  const points = { root: [], page: [] };
  let last;
  for (const size of sizes) {
    const tree = new CostTree(product, `tree${size}`, size);
    await tree.write();
    last = await tree.fold();
    const { rootMs, pageMs } = await tree.read();
    points.root.push([size, rootMs]);
    points.page.push([size, pageMs]);
  }
  const size = sizes.at(-1);
  const beside = (kind) => ({ ms: Object.fromEntries(points[kind]) });
  const [rootMs, pageMs] = [points.root.at(-1)[1], points.page.at(-1)[1]];
  report('P7', `inclusive cost of a tree of ${size} sessions`, rootMs, 0.1, 'ms', beside('root'));
  report('P7', `its growth, 1,000 to ${size} sessions`, exponent(points.root), 0.1, 'exponent', {});
  report('P7', 'page of 50 children with their inclusive costs', pageMs, 5, 'ms', beside('page'));
  report('P7', 'its growth', exponent(points.page), 0.1, 'exponent', {});
  report('P7', 'to keep the tree, each call', last.perCallMicroseconds, 10, 'µs of processor', {
    calls: last.calls,
    eventsPerSecond: last.eventsPerSecond,
  });
}

export class CostTree {
  constructor(product, name, size) {
    this.product = product;
    this.name = name;
    this.size = size;
    this.codec = new product.build.EventCodec();
  }

  id(index) {
    return `${this.name}-${index}`;
  }

  parentOf(index) {
    return index === 0 ? undefined : Math.floor((index - 1) / CHILDREN_EACH);
  }

  /** A session's own stream: its start and its calls, in one append. */
  async write() {
    let next = 0;
    const writer = async () => {
      for (let index = next++; index < this.size; index = next++) await this.append(index);
    };
    await Promise.all(Array.from({ length: WRITERS }, writer));
  }

  async append(index) {
    const sessionId = this.id(index);
    const events = [started(this, index), ...calls(sessionId)];
    const encoded = events.map((event, at) =>
      this.codec.encode({
        eventId: this.product.build.eventId(TENANT, sessionId, 'Bench', 'bench', at),
        event,
        metadata: { tenantId: TENANT, actor: 'bench', commandType: 'Bench', commandId: 'bench' },
        recordedAtMs: Date.parse(AT),
      }),
    );
    const stream = this.product.stream(sessionId);
    const { outcome } = await this.product.ports.events.append(stream, 'noStream', encoded);
    if (outcome !== 'written') throw new Error(`${sessionId} was not written: ${outcome}`);
  }

  /** Follows the log from where the last tree ended. */
  async fold() {
    const { build, ports } = this.product;
    const { costTreeProjection, BatchFold, openLiveGeneration } = build;
    const live = await openLiveGeneration(ports.readModels, costTreeProjection);
    const fold = new BatchFold(ports.readModels, this.codec, costTreeProjection, live);
    await fold.open();
    let events = 0;
    const { cpuMs, result } = await cpuTimed(async () => {
      const { ms } = await timed(async () => {
        for (;;) {
          const page = await ports.events.readAll(fold.position, BATCH_EVENTS, {
            streamPrefix: 'session-',
          });
          await fold.apply(page.events, page.next);
          events += page.events.length;
          if (page.caughtUp) return;
        }
      });
      return ms;
    });
    const count = this.size * CALLS_EACH;
    const perCallMicroseconds = (cpuMs * 1_000) / count;
    return { perCallMicroseconds, calls: count, eventsPerSecond: (events / result) * 1_000 };
  }

  async read() {
    const { build, ports } = this.product;
    const { costTreeProjection, COST_NODES, liveGeneration, sessionDocumentId } = build;
    const live = await liveGeneration(ports.readModels, costTreeProjection);
    const nodes = live.collection(COST_NODES);
    const times = { root: [], page: [] };
    for (let read = 0; read < READS; read += 1) {
      const index = read % 3 === 0 ? 0 : Math.floor((this.size / READS) * read * 0.01);
      const id = sessionDocumentId(TENANT, this.id(index));
      const root = await timed(async () =>
        build.treeFigures(await ports.readModels.get(nodes, id)),
      );
      this.check(index, root.result.inclusive);
      times.root.push(root.ms);
      times.page.push((await timed(() => this.page(nodes, id))).ms);
    }
    return { rootMs: median(times.root), pageMs: median(times.page) };
  }

  /** Inclusive cost of the root, in picos of a dollar. */
  async rootPicos() {
    const { build, ports } = this.product;
    this.live ??= await build.liveGeneration(ports.readModels, build.costTreeProjection);
    const id = build.sessionDocumentId(TENANT, this.id(0));
    const root = await ports.readModels.get(this.live.collection(build.COST_NODES), id);
    return Number(build.treeFigures(root).inclusive.amounts[0].amountPico);
  }

  async page(nodes, id) {
    const { build, ports } = this.product;
    const found = await ports.readModels.find(nodes, {
      filters: [{ field: 'parentNode', equals: id }],
      sort: { field: 'startedAt', direction: 'ascending' },
      limit: 50,
    });
    return found.documents.map(({ document }) => build.treeFigures(document).inclusive);
  }

  /** A fast wrong sum is no sum. */
  check(index, { amounts, calls: count }) {
    const sessions = this.below(index);
    const expected = (BigInt(sessions * CALLS_EACH) * PICO).toString();
    if (count === sessions * CALLS_EACH && amounts[0].amountPico === expected) return;
    throw new Error(`${this.id(index)} costs ${amounts[0]?.amountPico}, not ${expected}`);
  }

  below(index) {
    let [first, last, count] = [index, index, 0];
    while (first < this.size) {
      count += Math.min(last, this.size - 1) - first + 1;
      [first, last] = [first * CHILDREN_EACH + 1, last * CHILDREN_EACH + CHILDREN_EACH];
    }
    return count;
  }
}

function started(tree, index) {
  const parent = tree.parentOf(index);
  const edge = { sessionId: tree.id(parent), edge: 'subagent' };
  return {
    type: 'SessionStarted',
    data: {
      sessionId: tree.id(index),
      labels: {},
      profile: { name: 'agent', version: '1' },
      tools: [],
      recoveryMode: 'manual',
      parent: parent === undefined ? undefined : edge,
      ancestors: parent === undefined ? [] : [tree.id(parent)],
      startedAt: AT,
    },
  };
}

function calls(sessionId) {
  return Array.from({ length: CALLS_EACH }, (_, at) => ({
    type: 'ModelCallSettled',
    data: {
      modelCallId: `call-${at}`,
      outcome: 'completed',
      providerReached: 'yes',
      purpose: 'turn',
      callKey: `call:${sessionId}/${at}`,
      provider: 'anthropic',
      responseModel: 'claude-sonnet-4-5',
      startedAt: AT,
      endedAt: AT,
      usage: {
        state: 'final',
        buckets: { inputFresh: 900, cacheRead: 12_000, outputText: 80 },
        counts: {},
        splits: { cacheLife: 'known', reasoning: 'known' },
        flags: [],
        source: 'provider',
      },
      cost: { amountPico: PICO.toString(), currency: 'USD', source: 'local' },
    },
  }));
}
