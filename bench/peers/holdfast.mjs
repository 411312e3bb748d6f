import { randomUUID } from 'node:crypto';
import { Agent } from '../agent.mjs';
import { checkMessages, restore } from '../check.mjs';
import { openProduct } from '../product.mjs';
import { CostTree } from '../workloads/cost-tree.mjs';

/** Holdfast behind the same few functions as the others; `build` is what `loadBuild` gave. */
export function holdfast(build) {
  return {
    name: 'Holdfast',
    durability: 'WAL, synchronous=FULL; 1 fsync a turn, shared by sessions that write at once',
    open: async (folder) => new HoldfastSessions(await openProduct(build, folder)),
  };
}

class HoldfastSessions {
  agents = new Map();

  constructor(product) {
    this.product = product;
  }

  /** Leaves the session in a run that has begun, so that the turns after it need no other. */
  async seed(session, from, to) {
    const agent = this.agents.get(session) ?? (await Agent.start(this.product, session));
    this.agents.set(session, agent);
    await agent.grow(to - from - 1);
    await agent.finish();
    await agent.beReady();
    if (agent.turnCount !== to) throw new Error(`Holdfast recorded ${agent.turnCount} turns`);
  }

  async appendTurn(session, number) {
    const agent = this.agents.get(session);
    await agent.turn();
    if (agent.turnCount !== number + 1) throw new Error(`Holdfast is at ${agent.turnCount}`);
  }

  readBack(session) {
    return restore(this.product, session);
  }

  check({ context }, turns) {
    checkMessages(context.messages, 0, turns);
  }

  async place(session) {
    await this.agents.get(session).finish();
    return (await this.product.sessions.loadCurrent(this.product.stream(session))).revision;
  }

  async fork(session, place) {
    const forkId = randomUUID();
    const body = { forkId, recoveryMode: 'manual', at: place };
    await this.product.send('ForkSession', session, body);
    return forkId;
  }

  async seedTree(nodes) {
    this.tree = new CostTree(this.product, 'compared', nodes.length);
    await this.tree.write();
    await this.tree.fold();
  }

  rootCost() {
    return this.tree.rootPicos();
  }

  close() {
    return this.product.close();
  }
}
