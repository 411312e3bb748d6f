import canonicalize from 'canonicalize';
import type { CommandOf } from '../../src/domain/commands.js';
import { decide } from '../../src/domain/decide.js';
import { fold } from '../../src/domain/evolve.js';
import { NOTHING_PAST } from '../../src/domain/past.js';
import { Rejection } from '../../src/domain/rejection.js';
import { type SessionState, initialState } from '../../src/domain/state.js';
import type { ToolManifest } from '../../src/domain/tool-manifest.js';
import { at } from '../support/commands.js';
import { SESSION } from '../support/session-log.js';
import { Child } from './child.js';
import { Choices } from './choices.js';
import { checkAccounted, checkEnd } from './end-checks.js';
import { finish } from './finish.js';
import { Fork } from './fork.js';
import { Owner } from './owner.js';
import {
  acceptInput,
  confirmStopped,
  decideApproval,
  decideEscalation,
  probe,
  reconcile,
  resume,
  stop,
  voidKeys,
  withdrawInput,
} from './people.js';
import { type Rules, World } from './world.js';
import { FENCED_TOOLS, TIMED_TOOLS, TOOLS, UNDO } from './world-tools.js';

const STEPS_MAX = 70;
const PAUSES_MS = [100, 500, 1_000, 3_000, 6_000, 15_000, 40_000, 130_000, 700_000];

const START: CommandOf<'StartSession'> = {
  type: 'StartSession',
  commandId: 'session-1',
  now: at(0),
  sessionId: SESSION,
  labels: {},
  profile: { name: 'agent', version: '1' },
  tools: [...TOOLS, UNDO],
  recoveryMode: 'auto',
  ancestors: [],
};
/** Every schedule begins with it, and checking the manifests takes longer than a step. */
const STARTED = decide(START, initialState, NOTHING_PAST);

/**
 * What a schedule is rich in: any faults, crashes without progress, people who interfere, or requests
 * that still travel when the target is asked about them and told to refuse them; forks of what is
 * under way, sessions that tool calls have started, or clocks that jump.
 */
type Flavour = 'faults' | 'crashes' | 'people' | 'fences' | 'forks' | 'children' | 'clocks';

const FLAVOURS = [
  ...(['faults', 'faults', 'faults', 'faults', 'people', 'people', 'fences'] as const),
  ...(['forks', 'clocks'] as const),
];
/** One schedule in so many is about children as well; the others are as they would be without. */
const CHILDREN_EVERY = 12;
const EXHAUSTED = new Rejection('budget_exhausted', 'the budget is used up');

/** One history of a session, from its start until nothing is left to happen. */
export class Schedule {
  readonly world: World;
  private readonly owners: Owner[] = [];
  private readonly forks: Fork[] = [];
  private readonly children: Child[] = [];
  private readonly tools: readonly ToolManifest[];
  private readonly flavour: Flavour;
  private snapshot: { readonly state: SessionState; readonly revision: number } | undefined;

  constructor(seed: number, number: number, rules: Rules) {
    const choices = new Choices(seed, number);
    this.world = new World(choices, rules);
    const flavour = choices.oneIn(10) ? 'crashes' : choices.pick(FLAVOURS);
    this.flavour = number % CHILDREN_EVERY === CHILDREN_EVERY - 1 ? 'children' : flavour;
    this.tools =
      this.flavour === 'fences'
        ? FENCED_TOOLS
        : this.flavour === 'clocks'
          ? TIMED_TOOLS
          : choices.oneIn(3)
            ? [choices.pick(TOOLS), choices.pick(TOOLS)]
            : TOOLS;
  }

  /** @throws Violation as soon as an invariant does not hold. */
  run(): void {
    const { world } = this;
    world.begin(START, STARTED);
    const steps = 20 + world.choices.below(STEPS_MAX - 20);
    // Comparing whole states is slow, and replay has properties of its own: one schedule in twenty.
    const snapshotAt = world.choices.oneIn(20) ? world.choices.below(steps) : undefined;
    for (let step = 0; step < steps; step += 1) {
      this.step();
      checkAccounted(world);
      if (step === snapshotAt) this.takeSnapshot();
    }
    finish(world, this.owners);
    checkEnd(world);
    for (const one of [...this.forks, ...this.children]) one.checkEnd();
    this.checkReplay();
  }

  private step(): void {
    const { choices } = this.world;
    const roll = choices.below(100);
    if (this.flavour === 'crashes' && roll < 60) return this.crashAndClaim();
    if (this.flavour === 'people' && roll < 25) return this.interfere();
    if (this.flavour === 'fences' && roll < 12) return this.fence();
    if (this.flavour === 'forks' && roll < 15) return this.fork();
    if (this.flavour === 'children' && roll < 40) return this.child();
    if (this.flavour === 'clocks' && roll < 15) return this.disturbClocks();
    if (roll < 55) return this.letOwnerAct();
    if (roll < 68) return this.world.pass(choices.pick(PAUSES_MS));
    if (roll < 80) return this.recover();
    if (roll < 83) return this.claim();
    if (roll < 85) return this.currentOwner()?.crash();
    if (roll < 90) return this.world.appendOneHeld();
    if (roll < 92) return this.world.repeatLast();
    return this.interfere();
  }

  private letOwnerAct(): void {
    const acting = this.owners.filter((owner) => owner.acts);
    if (acting.length === 0) return this.claim();
    // Mostly the newest; an older one does not know yet that it has been replaced.
    const owner = this.world.choices.oneIn(5) ? this.world.choices.pick(acting) : acting.at(-1)!;
    owner.step();
  }

  private recover(): void {
    const { world } = this;
    if (world.choices.oneIn(3)) {
      decideApproval(world);
      if (world.choices.oneIn(2)) return decideEscalation(world, this.owners);
      return voidKeys(world, 3_000);
    }
    if (world.choices.oneIn(2)) return reconcile(world);
    if (world.choices.oneIn(4)) return confirmStopped(world);
    probe(world, world.choices.oneIn(4) ? 60_000 : 3_000);
  }

  /** The owner goes while its request travels; the target is told to refuse it, and asked. */
  private fence(): void {
    const { world } = this;
    this.currentOwner()?.crash();
    this.claim();
    reconcile(world);
    voidKeys(world, 300);
    world.pass(300);
    probe(world, 300);
    world.pass(300);
  }

  private fork(): void {
    const { world, forks } = this;
    if (forks.length < 2 && world.choices.oneIn(3)) forks.push(new Fork(world));
    else if (forks.length > 0) world.choices.pick(forks).step();
  }

  private child(): void {
    const { world, owners, children } = this;
    if (children.length > 0 && world.choices.oneIn(8))
      return stop(world, this.currentOwner()?.acts ?? false);
    if (owners.length > 0 && (children.length === 0 || world.choices.oneIn(4))) {
      const child = Child.spawnedBy(world.choices.pick(owners));
      if (child !== undefined) children.push(child);
    }
    if (children.length > 0) world.choices.pick(children).step();
  }

  private disturbClocks(): void {
    const { world } = this;
    const { clocks, choices } = world;
    if (choices.oneIn(4)) return clocks.restart();
    // The owner goes while its request travels, or while it may be made again.
    if (choices.oneIn(2)) this.crashAndClaim();
    clocks.jump();
    if (choices.oneIn(2)) return world.pass(130_000);
    reconcile(world);
    probe(world, 300);
    world.pass(300);
  }

  private interfere(): void {
    const { world } = this;
    switch (world.choices.below(12)) {
      case 0:
      case 1:
        return acceptInput(world);
      case 2:
        return withdrawInput(world);
      case 3:
        return stop(world, this.currentOwner()?.acts ?? false);
      case 4:
        return resume(world);
      default:
        return decideEscalation(world, this.owners);
    }
  }

  private crashAndClaim(): void {
    this.currentOwner()?.crash();
    this.claim();
    if (!this.world.choices.oneIn(4)) return;
    this.currentOwner()?.step();
  }

  private claim(): void {
    const { world, owners, tools } = this;
    const { run, pendingInputs } = world.log.state;
    if (run === undefined && !pendingInputs.some((input) => input.resume)) acceptInput(world);
    const token = world.id('token');
    const runId = run?.runId ?? world.id('run');
    // The lease is a hint: it may be lost, and then a living owner is replaced.
    if (world.choices.oneIn(60)) world.hasBudget = false;
    const live = (this.currentOwner()?.acts ?? false) && !world.choices.oneIn(4);
    const command = {
      type: 'ClaimRun',
      commandId: token,
      now: world.now,
      runId,
      workerId: 'worker-1',
      claimTokenHash: token,
      leaseTtlMs: 30_000,
      lease: { live },
      kind: 'agent',
      force: false,
      exhausted: world.hasBudget ? undefined : EXHAUSTED,
      messageIdOf: (inputId: string) => `message-of-${inputId}`,
    } as const;
    const { hasBudget } = world;
    world.send(command, (handled) => {
      const claimed = handled.kind === 'accepted' ? handled.events[0] : undefined;
      if (claimed?.type !== 'RunClaimed') return;
      if (!hasBudget && claimed.data.kind !== 'compensation') {
        world.violated('13.2', 'a run was claimed that has no budget left');
      }
      const fence = { epoch: claimed.data.epoch, claimTokenHash: token };
      owners.push(new Owner(world, fence, claimed.data.runId, tools));
    });
  }

  private currentOwner(): Owner | undefined {
    return this.owners.findLast((owner) => owner.fence.epoch === this.world.log.state.epoch);
  }

  private takeSnapshot(): void {
    const { state } = this.world.log;
    const stored = JSON.stringify(state);
    this.snapshot = { state: JSON.parse(stored) as SessionState, revision: state.revision };
  }

  /** The state from a snapshot and the tail is the state that deciding led to. */
  private checkReplay(): void {
    if (this.snapshot === undefined) return;
    const { state, revision } = this.snapshot;
    const { world } = this;
    const { log } = world;
    const tail = log.records.slice(revision + 1).map(({ event }) => event);
    if (canonicalize(fold(state, tail)) !== canonicalize(log.state)) {
      world.violated('I-30', `the snapshot of revision ${revision} leads to another state`);
    }
  }
}
