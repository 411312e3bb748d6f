import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Authentication } from './authentication.js';
import { ProblemError } from './problem.js';

/** How often a credential is looked at again: a revoked one is noticed within a minute. */
export const CHECK_EVERY_MS = 5_000;

/** Looks after the credentials of requests whose answer does not end. */
@Injectable()
export class CredentialWatch {
  constructor(private readonly authentication: Authentication) {}

  /**
   * @param over is called when the credential opens nothing any more.
   * @returns ends the watch.
   */
  start(request: FastifyRequest, over: () => void): () => void {
    const timer = setInterval(() => {
      void this.authentication.principalOf(request).catch((error: unknown) => {
        // A store that is away for a moment says nothing about the credential.
        if (error instanceof ProblemError && error.code === 'unauthenticated') over();
      });
    }, CHECK_EVERY_MS).unref();
    return () => clearInterval(timer);
  }
}
