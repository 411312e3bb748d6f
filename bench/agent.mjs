import { randomUUID } from 'node:crypto';
import { TOOLS, turnSteps, turnTexts } from './turn.mjs';

/** A run makes at most 200 model calls, and a turn makes two. */
const TURNS_PER_RUN = 95;
/** 7 turns are 49 steps and 77 events: as many as one request may have. */
const TURNS_PER_REQUEST = 7;

/** The owner of one session, who records turns in it. */
export class Agent {
  turnCount = 0;
  turnsInRun = 0;
  owner = undefined;

  constructor(product, sessionId, firstTurn = 0) {
    this.product = product;
    this.sessionId = sessionId;
    this.turnCount = firstTurn;
  }

  static async start(product, sessionId = randomUUID()) {
    const { StartSession } = product.build;
    await product.commands.execute(
      new StartSession(product.scope(sessionId), {
        sessionId,
        labels: {},
        profile: { name: 'bench', version: '1' },
        tools: TOOLS,
        recoveryMode: 'manual',
      }),
    );
    return new Agent(product, sessionId);
  }

  /** One turn in one append. */
  async turn() {
    await this.beReady();
    return this.record(turnSteps(this.turnCount).flat(), 1);
  }

  /** One turn in four durable steps, as four appends one after the other. */
  async turnInSteps() {
    await this.beReady();
    const groups = turnSteps(this.turnCount);
    for (const [index, steps] of groups.entries()) {
      await this.record(steps, index === groups.length - 1 ? 1 : 0);
    }
  }

  /** Many turns, several in one append: to get a long session quickly. */
  async grow(turns) {
    const target = this.turnCount + turns;
    for (;;) {
      if (this.turnCount < target) await this.beReady();
      const left = target - this.turnCount;
      if (left <= 0) return;
      const count = Math.min(left, TURNS_PER_REQUEST, TURNS_PER_RUN - this.turnsInRun);
      const numbers = Array.from({ length: count }, (_, index) => this.turnCount + index);
      await this.record(
        numbers.flatMap((number) => turnSteps(number).flat()),
        count,
      );
    }
  }

  /** Covers everything but the newest turns with a summary. */
  async compact(turnsKept, summary) {
    await this.beReady();
    const compactionId = randomUUID();
    const start = { compactionId, keepGroups: 3 * turnsKept, trigger: 'auto', withinTurn: false };
    await this.product.send('StartCompaction', this.sessionId, { ...this.owner, ...start });
    await this.product.send('CommitCompaction', this.sessionId, {
      compactionId,
      body: { ...this.owner, summary },
    });
  }

  /** Gets the run changed, if that is due, outside of what is measured. */
  async beReady() {
    if (this.owner !== undefined && this.turnsInRun < TURNS_PER_RUN) return;
    const { product, sessionId } = this;
    await this.finish();
    const inputId = randomUUID();
    const { input } = turnTexts(this.turnCount);
    const accepted = { inputId, content: input, role: 'user', delivery: 'steer', resume: true };
    await product.send('AcceptInput', sessionId, accepted);
    await this.claim();
    await this.record(turnSteps(this.turnCount, { inputIsAccepted: true }).flat(), 1);
  }

  /** Ends the run, so that a fork of this session takes no open run along. */
  async finish() {
    const { product, sessionId, runId, owner } = this;
    if (owner !== undefined) await product.send('CompleteRun', sessionId, { runId, body: owner });
    this.owner = undefined;
  }

  async claim() {
    const claimToken = randomUUID();
    this.runId = randomUUID();
    const claimed = await this.product.send('ClaimRun', this.sessionId, {
      workerId: 'bench',
      claimToken,
      runId: this.runId,
      kind: 'agent',
      force: false,
    });
    this.owner = { epoch: claimed.state.epoch, claimToken };
    this.turnsInRun = 0;
  }

  async record(steps, turns) {
    const handled = await this.product.send('RecordStep', this.sessionId, { steps, ...this.owner });
    this.turnCount += turns;
    this.turnsInRun += turns;
    return handled;
  }
}
