import { Injectable, Optional } from '@nestjs/common';
import { Authentication } from './authentication.js';

/** How often a credential is looked at again: a revoked one is noticed within a minute. */
const CHECK_EVERY_MS = 5_000;

/** Looks after the credentials of those whose answer does not end. */
@Injectable()
export class CredentialWatch {
  constructor(
    private readonly authentication: Authentication,
    @Optional() private readonly everyMs: number = CHECK_EVERY_MS,
  ) {}

  /**
   * @param authorization as the header has it.
   * @param over is called when the credential opens nothing any more.
   * @returns ends the watch.
   */
  start(authorization: string | undefined, over: () => void): () => void {
    const timer = setInterval(() => {
      this.authentication.isGood(authorization).then(
        (isGood) => void (isGood || over()),
        // A store that is away for a moment says nothing about the credential.
        () => undefined,
      );
    }, this.everyMs).unref();
    return () => clearInterval(timer);
  }
}
