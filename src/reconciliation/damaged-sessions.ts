import { Inject, Injectable, Logger } from '@nestjs/common';
import { InvalidStreams, type SessionName } from '../projections/invalid-streams.js';
import { sessionDocumentId } from '../projections/projection.js';
import { isEventDamage } from '../storage/event-damage.js';
import { CLOCK, type Clock } from '../tokens.js';

/** A damaged stream is read again so often: somebody may have put it right. */
export const LOOK_AGAIN_MS = 60_000;

interface Damaged {
  readonly session: SessionName;
  readonly againAtMs: number;
}

/** Keeps sessions with damaged streams out of every pass, and says so once. */
@Injectable()
export class DamagedSessions {
  private readonly log = new Logger(DamagedSessions.name);
  /** When each is looked at again; undefined until the store was asked. */
  private known: Map<string, Damaged> | undefined;

  constructor(
    private readonly invalid: InvalidStreams,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** An earlier process, or another one, may have noted some. */
  private async load(): Promise<void> {
    this.known ??= new Map(
      (await this.invalid.all()).map((session) => [nameOf(session), { session, againAtMs: 0 }]),
    );
  }

  /** Those that are looked at again now, at rest or not. */
  async *due(): AsyncIterable<SessionName> {
    await this.load();
    for (const { session } of this.known!.values()) {
      if (!this.isSetAside(session)) yield session;
    }
  }

  isSetAside(session: SessionName): boolean {
    return this.clock() < (this.known?.get(nameOf(session))?.againAtMs ?? 0);
  }

  /** False: the error says nothing about the stream. */
  async isNoted(session: SessionName, error: unknown): Promise<boolean> {
    if (!isEventDamage(error)) return false;
    const known = (this.known ??= new Map<string, Damaged>());
    const isNew = !known.has(nameOf(session));
    known.set(nameOf(session), { session, againAtMs: this.clock() + LOOK_AGAIN_MS });
    if (isNew) {
      this.log.error(`session_quarantined: session ${session.sessionId}: ${error.message}`);
    }
    await this.invalid.note(session, error.message);
    return true;
  }

  async isSound(session: SessionName): Promise<void> {
    if (this.known?.has(nameOf(session)) !== true) return;
    await this.invalid.clear(session);
    this.known.delete(nameOf(session));
    this.log.log(`session ${session.sessionId} can be read again`);
  }
}

function nameOf({ tenantId, sessionId }: SessionName): string {
  return sessionDocumentId(tenantId, sessionId);
}
