import { Inject, Injectable, Logger } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ClaimRunBody } from '../commands/claim-run/claim-run.dto.js';
import { ClaimRun } from '../commands/claim-run/claim-run.handler.js';
import { claimTokenHash } from '../commands/dto/owned-body.js';
import type { HandledCommand } from '../commands/handle-command.js';
import { VersionConflictError } from '../commands/revision-errors.js';
import { SessionRepository } from '../commands/session-repository.js';
import { Rejection } from '../domain/rejection.js';
import type { RunState } from '../domain/run-state.js';
import { sessionStream } from '../identity/derived-ids.js';
import type { WorkDocument } from '../projections/sessions/session-document.js';
import { isEventDamage } from '../storage/event-damage.js';
import { fairTurn } from '../storage/fair-turn.js';
import { CLOCK, type Clock } from '../tokens.js';
import type { ClaimWorkBody } from './claim-work.dto.js';
import { OpenWork } from './open-work.js';
import { ReadyWork, nameOfWork } from './ready-work.js';
import { Waiting } from './waiting.js';
import { own } from '../domain/own.js';

/** A worker that waits for a session. */
export interface WorkWish {
  readonly tenantId: string;
  readonly actor: string;
  readonly body: ClaimWorkBody;
  readonly signal: AbortSignal;
}

const LOOK_EVERY_MS = 100;
/** Time alone makes work, too: a lease ends, a pause is over. */
const LOOK_AGAIN_MS = 1_000;
/** Who does not want to wait is still told what one look finds, if that does not take longer. */
const FIRST_LOOK_MS_MAX = 1_000;
const CLAIMS_AT_ONCE = 8;
/** A session that refused is not asked again at once. */
const REFUSED_MS = 5_000;
const UNFIT_MAX = 10_000;

/**
 * Hands sessions to the workers that wait, the longest waiting of both first. The read model says
 * where to look; that the worker may have it is decided on the session's own stream, by its claim.
 * Two processes that offer the same session make one owner: the other's claim is refused.
 */
@Injectable()
export class WorkOffers {
  private readonly log = new Logger(WorkOffers.name);
  private readonly waiting = new Waiting<WorkWish, HandledCommand>();
  /** Workers, by what they say of themselves, and work that they cannot have. */
  private readonly unfit = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> = Promise.resolve();
  private nextLook: Promise<void> | undefined;
  private seenHead = -1n;
  private lookAtMs = 0;

  constructor(
    private readonly open: OpenWork,
    private readonly commands: CommandBus,
    private readonly ready: ReadyWork,
    private readonly sessions: SessionRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The next session that the wish is for; undefined when none came in its time. */
  async next(wish: WorkWish): Promise<HandledCommand | undefined> {
    const { waitMs } = wish.body;
    const askedAtMs = performance.now();
    const place = this.waiting.add(wish, wish.signal);
    place.leaveAfter(Math.max(waitMs, FIRST_LOOK_MS_MAX));
    void this.look().then(() => {
      place.leaveAfter(Math.max(0, waitMs - (performance.now() - askedAtMs)));
      this.keepLooking();
    });
    return place.answer;
  }

  /** The answer to an earlier claim got lost: the same token is given the same session again. */
  async claimedBefore(wish: WorkWish): Promise<HandledCommand | undefined> {
    const { workerId, claimToken } = wish.body;
    for await (const { sessionId } of this.open.of(wish.tenantId, workerId)) {
      const run = await this.runOf(wish.tenantId, sessionId);
      if (run?.owned && run.claimTokenHash === claimTokenHash(claimToken)) {
        return this.claim(wish, sessionId);
      }
    }
    return undefined;
  }

  /** Undefined also where it cannot be read: the worker gets another session. */
  private async runOf(tenantId: string, sessionId: string): Promise<RunState | undefined> {
    try {
      return (await this.sessions.loadCurrent(sessionStream(tenantId, sessionId))).run;
    } catch (error) {
      if (isEventDamage(error)) return undefined;
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.waiting.close();
    clearTimeout(this.timer);
    await this.looking;
  }

  private keepLooking(): void {
    if (this.waiting.isEmpty) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.lookWhenNew().then(() => this.keepLooking());
    }, LOOK_EVERY_MS);
  }

  private async lookWhenNew(): Promise<void> {
    const head = await this.open.head().catch(() => this.seenHead);
    if (head !== this.seenHead || this.clock() >= this.lookAtMs) await this.look();
    this.seenHead = head;
  }

  /** A look that begins from now on: those who ask while one is going on share the next. */
  private look(): Promise<void> {
    return (this.nextLook ??= this.looking.then(() => {
      this.nextLook = undefined;
      this.looking = this.lookOnce().catch((error: unknown) =>
        this.log.warn(`work was not looked for: ${String(error)}`),
      );
      return this.looking;
    }));
  }

  private async lookOnce(): Promise<void> {
    this.lookAtMs = this.clock() + LOOK_AGAIN_MS;
    this.ready.tidy();
    const tenants = new Set([...this.waiting].map(({ tenantId }) => tenantId));
    for (const tenantId of tenants) await this.offerAll(tenantId);
  }

  private async offerAll(tenantId: string): Promise<void> {
    const found = this.open.of(tenantId)[Symbol.asyncIterator]();
    const offer = async (): Promise<void> => {
      while (this.waiting.isAnyFree) {
        const next = await found.next();
        if (next.done) return;
        await fairTurn();
        await this.offer(next.value).catch((error: unknown) => this.notNow(next.value, error));
      }
    };
    await Promise.all(Array.from({ length: CLAIMS_AT_ONCE }, offer));
  }

  private async offer(work: WorkDocument): Promise<void> {
    const wants = (wish: WorkWish): boolean =>
      isFor(wish, work) && !this.unfit.has(fitOf(wish, work));
    // Before the session is loaded: most of a long list may be for other workers.
    if (!this.waiting.isWanted(wants) || !(await this.ready.isReady(work))) return;
    await this.waiting.serve(wants, (wish) => this.claimIfFit(wish, work));
  }

  /** A worker that lacks what open calls need does not keep the session from others. */
  private async claimIfFit(wish: WorkWish, work: WorkDocument): Promise<HandledCommand> {
    try {
      return await this.claim(wish, work.sessionId);
    } catch (error) {
      if (!(error instanceof Rejection) || error.code !== 'incompatible_setup') throw error;
      if (this.unfit.size >= UNFIT_MAX) this.unfit.clear();
      this.unfit.add(fitOf(wish, work));
      throw new NotForThisWorker();
    }
  }

  private async claim(
    { tenantId, actor, body }: WorkWish,
    sessionId: string,
  ): Promise<HandledCommand> {
    const { workerId, claimToken, profileVersion, toolNames, confirmDifferences } = body;
    const setup = { profileVersion, toolNames, confirmDifferences };
    const claim = Object.assign(new ClaimRunBody(), { workerId, claimToken, ...setup });
    const claimed = await this.commands.execute(
      new ClaimRun({ tenantId, sessionId, actor }, claim),
    );
    if (claimed.state.run?.claimTokenHash === claimTokenHash(claimToken)) return claimed;
    throw new Rejection('id_in_use', 'the claim token is that of an earlier claim of the session');
  }

  private notNow(work: WorkDocument, error: unknown): void {
    if (error instanceof NotForThisWorker) return;
    this.ready.notBefore(work, this.clock() + REFUSED_MS);
    if (error instanceof Rejection || error instanceof VersionConflictError) return;
    this.log.warn(`session ${work.sessionId} was not claimed: ${String(error)}`);
  }
}

class NotForThisWorker extends Error {}

function fitOf({ body }: WorkWish, work: WorkDocument): string {
  const { profileVersion, toolNames } = body;
  return JSON.stringify([nameOfWork(work), profileVersion, toolNames]);
}

function isFor({ tenantId, body }: WorkWish, work: WorkDocument): boolean {
  if (tenantId !== work.tenantId) return false;
  if (body.profiles !== undefined && !body.profiles.includes(work.profileName ?? '')) return false;
  return Object.entries(body.labels).every(([name, value]) => own(work.labels, name) === value);
}
