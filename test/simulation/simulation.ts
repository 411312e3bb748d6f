import type { HandledCommand } from '../../src/commands/handle-command.js';
import { sessionOfStream, sessionStream } from '../../src/identity/derived-ids.js';
import type { RecordedEvent } from '../../src/storage/event-store.js';
import { MemoryEventStore } from '../../src/storage/memory/memory-event-store.js';
import { Choices } from '../protocol/choices.js';
import { type Violated, Violation } from '../protocol/watched-call.js';
import { ChildrenWatch } from './children-watch.js';
import { Client } from './client.js';
import { SharedStores } from './faulty-stores.js';
import { HistoryWatch } from './history-watch.js';
import { checkAcknowledged, checkCosts } from './end-checks.js';
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
/** With so many of them no model asks for another one. */
const SESSIONS_WITH_CHILDREN_MAX = 5;
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
  private readonly children: ChildrenWatch;
  private readonly report: Violated = (invariant, what) => this.violated(invariant, what);
  private readonly watchOf = (sessionId: string) =>
    this.watches.get(sessionStream(TENANT, sessionId))!;
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
      this.written(stream, batch);
    });
    this.children = new ChildrenWatch(this.watchOf, this.service, this.report);
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
    return { violation, steps, counts, log: await this.stores.logText() };
  }

  acknowledged(receipt: HandledCommand['receipt']): void {
    this.acknowledgements.push(receipt);
  }

  private async play(): Promise<void> {
    const { choices } = this.scheduler;
    for (let number = 0; number < SERVERS; number += 1) this.startServer(number);
    const sessions = choices.oneIn(3) ? 2 : 1;
    for (let number = 0; number < sessions; number += 1) {
      const user = this.newUser(`session-${number}`, true);
      this.watch(user.sessionId);
      this.inBackground(user.begin());
    }
    const until = FAULTY_STEPS_MIN + choices.below(FAULTY_STEPS_MAX - FAULTY_STEPS_MIN);
    while (this.steps < until) {
      if (choices.oneIn(25)) this.injectFault();
      if (choices.oneIn(12)) this.workMore();
      if (choices.oneIn(30)) this.inBackground(choices.pick(this.users).answer());
      await this.stepAndCheck();
    }
    await this.comeToRest();
    await this.checkEnd();
  }

  private watch(sessionId: string): HistoryWatch {
    const watch = new HistoryWatch(this.report);
    this.watches.set(sessionStream(TENANT, sessionId), watch);
    return watch;
  }

  private newUser(sessionId: string, delegates: boolean): User {
    const user = new User(this.client('user'), this.service, sessionId, delegates);
    this.users.push(user);
    return user;
  }

  /** A batch that is in the log from now on. */
  private written(stream: string, batch: readonly RecordedEvent[]): void {
    for (const { type } of batch) this.count(type);
    const sessionId = sessionOfStream(stream)?.sessionId;
    if (sessionId === undefined) return;
    const watch = this.watches.get(stream) ?? this.watch(sessionId);
    const events = watch.see(batch);
    const [first] = events;
    if (first?.type === 'SessionStarted' && first.data.parent !== undefined) {
      this.count('childStarted');
      this.children.started(sessionId, first.data.parent);
      this.newUser(sessionId, false);
    }
    this.children.see(sessionId, events);
  }

  private injectFault(): void {
    const { choices, nowMs } = this.scheduler;
    const workers = this.workers.filter(({ alive }) => alive);
    switch (choices.below(9)) {
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
      case 5:
        this.stores.leaseClockOffMs = choices.below(120_000) - 60_000;
        return this.count('leaseClockJumped');
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
      this.newUser(forkId, parent.delegates);
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

  private workMore(among: readonly User[] = this.users): void {
    const user = this.scheduler.choices.pick(among);
    const client = this.client('worker');
    this.workers.push(client.actor);
    const delegates = user.delegates && this.users.length < SESSIONS_WITH_CHILDREN_MAX;
    const { name } = client.actor;
    const worker = new Worker(client, this.service, user.sessionId, name, delegates);
    this.inBackground(worker.run());
  }

  /** No more faults: time passes, workers come, people answer or their deadlines pass. */
  private async comeToRest(): Promise<void> {
    this.faults = this.stores.faults = this.service.faults = false;
    const peopleAnswer = this.scheduler.choices.oneIn(2);
    for (const worker of this.workers) worker.alive = false;
    for (let number = 0; number < SERVERS; number += 1) this.startServer(number);
    for (let step = 0; step < QUIET_STEPS_MAX && !this.isAtRest(); step += 1) {
      if (step % 50 === 0) this.finishWork(step);
      // In half of the histories nobody answers any more, and deadlines pass.
      if (peopleAnswer && step % 100 === 99) {
        for (const user of this.users) this.inBackground(user.answer());
      }
      if (step % 400 === 399) {
        for (const user of this.users) this.inBackground(user.resume().catch(onlyRefused));
      }
      await this.stepAndCheck();
    }
    if (this.isAtRest()) return;
    this.violated('I-31', 'sessions do not come to rest, or a fork does not learn an outcome');
  }

  /** Where a worker can do something; now and then also where it seems that none can. */
  private finishWork(step: number): void {
    const open = this.users.filter(({ sessionId }) => this.watchOf(sessionId).isBusy);
    const now = this.scheduler.now;
    const ready = open.filter(({ sessionId }) => !this.watchOf(sessionId).isWaiting(now));
    const among = step % 400 === 0 ? open : ready;
    if (among.length > 0) this.workMore(among);
  }

  private isAtRest(): boolean {
    return [...this.watches.values()].every(
      (watch) => !watch.isBusy && watch.knowsOrigins(this.watchOf),
    );
  }

  private async stepAndCheck(): Promise<void> {
    this.steps += 1;
    await this.scheduler.step();
    for (const watch of this.watches.values()) {
      watch.checkAccounted(this.scheduler.now);
      watch.checkEffects(this.service, false);
    }
    this.children.check(this.scheduler.nowMs);
    if (this.violation !== undefined) this.violated('', '');
  }

  private async checkEnd(): Promise<void> {
    for (const watch of this.watches.values()) {
      watch.checkEffects(this.service, true);
    }
    await checkAcknowledged(this.acknowledgements, this.stores, this.report);
    const difference = await checkReadModels(this.stores);
    if (difference !== undefined) this.violated('read models', difference);
    await checkCosts(this.watches, this.servers[0]!, this.report);
    for (let stopped = this.children.stoppedWithParent; stopped > 0; stopped -= 1) {
      this.count('childStoppedWithParent');
    }
  }

  /** Also kept: whoever is in the middle of something must not swallow it. */
  private violated(invariant: string, what: string): never {
    this.violation ??= `${invariant}: ${what}`;
    throw new Violation(invariant, what);
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
}
