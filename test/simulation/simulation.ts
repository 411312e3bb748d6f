import type { HandledCommand } from '../../src/commands/handle-command.js';
import { callsOf, isUnresolved } from '../../src/domain/state.js';
import { sessionStream } from '../../src/identity/derived-ids.js';
import { MemoryEventStore } from '../../src/storage/memory/memory-event-store.js';
import { Choices } from '../protocol/choices.js';
import { Violation } from '../protocol/watched-call.js';
import { Client } from './client.js';
import { SharedStores } from './faulty-stores.js';
import { HistoryWatch } from './history-watch.js';
import { checkReadModels } from './read-models-check.js';
import { Actor, Scheduler } from './scheduler.js';
import { Server, TENANT } from './server.js';
import { Service } from './service.js';
import { User, onlyRefused } from './user.js';
import { Worker } from './worker.js';

/** What a deliberately broken variant puts in the place of a right piece. */
export interface Variant {
  readonly events?: () => MemoryEventStore;
  readonly replaced?: ReadonlyMap<unknown, unknown>;
}

export interface Outcome {
  readonly violation?: string;
  readonly steps: number;
  /** How often each kind of event, and each kind of fault, happened. */
  readonly counts: ReadonlyMap<string, number>;
  /** The whole log as text: the same seed gives the same one. */
  readonly log: string;
}

const SERVERS = 2;
const SESSIONS_MAX = 3;
const FAULTY_STEPS_MIN = 150;
const FAULTY_STEPS_MAX = 600;
const QUIET_STEPS_MAX = 8_000;
const SERVER_KILLS_APART_MS = 60_000;

/** One history of one world; everything in it follows from the seed. */
export class Simulation {
  readonly scheduler: Scheduler;
  readonly servers: Server[] = [];
  faults = true;
  private readonly service: Service;
  private readonly stores: SharedStores;
  private readonly watches = new Map<string, HistoryWatch>();
  private readonly users: User[] = [];
  private readonly workers: Actor[] = [];
  private readonly acknowledgements: HandledCommand['receipt'][] = [];
  private readonly counts = new Map<string, number>();
  private violation: string | undefined;
  private steps = 0;
  private names = 0;
  private nextKillMs = 0;

  constructor(
    seed: number,
    private readonly variant: Variant = {},
  ) {
    this.scheduler = new Scheduler(new Choices(seed, 0));
    const events = variant.events?.() ?? new MemoryEventStore();
    this.service = new Service(this.scheduler);
    this.stores = new SharedStores(this.scheduler, events, (stream, batch) => {
      this.watchOf(stream)?.see(batch);
      for (const { type } of batch) this.count(type);
    });
  }

  async run(): Promise<Outcome> {
    const real = globalThis.setTimeout;
    // A pause in the code under test passes with the time of the simulation.
    globalThis.setTimeout = ((happen: () => void, ms = 0) =>
      this.scheduler.later(ms, happen)) as never;
    try {
      await this.play();
    } catch (error) {
      if (!(error instanceof Violation)) throw error;
    } finally {
      globalThis.setTimeout = real;
    }
    const { violation, steps, counts } = this;
    return { violation, steps, counts, log: await this.logText() };
  }

  acknowledged(receipt: HandledCommand['receipt']): void {
    this.acknowledgements.push(receipt);
  }

  private async play(): Promise<void> {
    const { choices } = this.scheduler;
    for (let number = 0; number < SERVERS; number += 1) this.startServer(number);
    const sessions = choices.oneIn(3) ? 2 : 1;
    for (let number = 0; number < sessions; number += 1) {
      const user = new User(this.client('user'), this.service, `session-${number}`);
      this.users.push(user);
      this.watch(user.sessionId);
      this.inBackground(user.begin());
    }
    const until = FAULTY_STEPS_MIN + choices.below(FAULTY_STEPS_MAX - FAULTY_STEPS_MIN);
    while (this.steps < until) {
      if (choices.oneIn(25)) this.injectFault();
      if (choices.oneIn(12)) this.workMore();
      await this.stepAndCheck();
    }
    await this.comeToRest();
    await this.checkEnd();
  }

  private watch(sessionId: string): void {
    const watch = new HistoryWatch((invariant, what) => this.violated(invariant, what));
    this.watches.set(sessionStream(TENANT, sessionId), watch);
  }

  private injectFault(): void {
    const { choices, nowMs } = this.scheduler;
    const workers = this.workers.filter(({ alive }) => alive);
    switch (choices.below(8)) {
      case 0:
        return this.restartServer();
      case 1:
        if (workers.length > 0) choices.pick(workers).alive = false;
        return this.count('workerKilled');
      case 2:
        if (workers.length > 0) choices.pick(workers).sleepsUntilMs = nowMs + choices.below(90_000);
        return this.count('workerPaused');
      case 3:
        void this.stores.leases.close();
        return this.count('leasesLost');
      case 4:
        return this.fork();
      default:
        this.inBackground(choices.pick(this.users).act());
    }
  }

  /** Of whatever is under way: from then on it is a session like the others. */
  private fork(): void {
    if (this.users.length >= SESSIONS_MAX) return;
    const parent = this.scheduler.choices.pick(this.users);
    const forkId = `fork-${this.nextName()}`;
    this.watch(forkId);
    const forked = parent.fork(forkId).then(() => {
      this.users.push(new User(this.client('user'), this.service, forkId));
    });
    this.inBackground(forked.catch(onlyRefused));
  }

  /**
   * The process is gone with all that it had under way; another one starts on the same stores. Not
   * so often that no step is taken for a minute, which would be found fault with.
   */
  private restartServer(): void {
    if (this.scheduler.nowMs < this.nextKillMs) return;
    this.nextKillMs = this.scheduler.nowMs + SERVER_KILLS_APART_MS;
    const number = this.scheduler.choices.below(SERVERS);
    this.servers[number]?.crash();
    this.count('serverKilled');
    this.scheduler.later(this.scheduler.choices.below(15_000), () => this.startServer(number));
  }

  private startServer(number: number): void {
    this.servers[number]?.crash();
    const { scheduler, stores, service, variant } = this;
    const replaced = variant.replaced ?? new Map();
    const name = `server-${number}-${this.nextName()}`;
    this.servers[number] = new Server(name, scheduler, stores, service, replaced);
  }

  private workMore(): void {
    const user = this.scheduler.choices.pick(this.users);
    const client = this.client('worker');
    this.workers.push(client.actor);
    const worker = new Worker(client, this.service, user.sessionId, client.actor.name);
    this.inBackground(worker.run());
  }

  /** No more faults: time passes, workers come, people answer or their deadlines pass. */
  private async comeToRest(): Promise<void> {
    this.faults = this.stores.faults = this.service.faults = false;
    for (const worker of this.workers) worker.alive = false;
    for (let number = 0; number < SERVERS; number += 1) this.startServer(number);
    for (let step = 0; step < QUIET_STEPS_MAX && !this.isAtRest(); step += 1) {
      if (step % 150 === 0) this.workMore();
      if (step % 400 === 399) {
        for (const user of this.users) this.inBackground(user.resume().catch(onlyRefused));
      }
      await this.stepAndCheck();
    }
    if (!this.isAtRest()) {
      this.violated(
        'I-31',
        'the sessions do not come to rest, or a fork does not learn an outcome',
      );
    }
  }

  private isAtRest(): boolean {
    const watchOf = (sessionId: string) => this.watches.get(sessionStream(TENANT, sessionId))!;
    return [...this.watches.values()].every(
      (watch) =>
        watch.state.run === undefined &&
        !callsOf(watch.state).some(isUnresolved) &&
        watch.knowsOrigins(watchOf),
    );
  }

  private async stepAndCheck(): Promise<void> {
    this.steps += 1;
    await this.scheduler.step();
    for (const watch of this.watches.values()) {
      watch.checkAccounted(this.scheduler.now);
      watch.checkEffects(this.service, false);
    }
    if (this.violation !== undefined) this.violated('', '');
  }

  private async checkEnd(): Promise<void> {
    for (const watch of this.watches.values()) {
      watch.checkEffects(this.service, true);
    }
    for (const { sessionId, revision, position } of this.acknowledgements) {
      const stream = sessionStream(TENANT, sessionId);
      const [stored] = await this.stores.events.read(stream, { from: revision, maxCount: 1 });
      if (String(stored?.position) !== position) {
        this.violated('I-18', `revision ${revision} was acknowledged, and is not there`);
      }
    }
    const difference = await checkReadModels(this.stores);
    if (difference !== undefined) this.violated('read models', difference);
  }

  /** Also kept: whoever is in the middle of something must not swallow it. */
  private violated(invariant: string, what: string): never {
    this.violation ??= `${invariant}: ${what}`;
    throw new Violation(invariant, what);
  }

  private watchOf(stream: string): HistoryWatch | undefined {
    return this.watches.get(stream);
  }

  private client(kind: string): Client {
    return new Client(this, new Actor(`${kind}-${this.nextName()}`));
  }

  /** Whoever fails with anything but a refusal has found a defect. */
  private inBackground(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      if (error instanceof Violation) return;
      this.violation ??= `an unexpected error: ${String(error)}`;
    });
  }

  private count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  private nextName(): number {
    this.names += 1;
    return this.names;
  }

  private async logText(): Promise<string> {
    const { events } = await this.stores.events.readAll(0n, 10_000);
    return events
      .map(({ position, stream, type, data }) => `${position} ${stream} ${type} ${data}`)
      .join('\n');
  }
}
