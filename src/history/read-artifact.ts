import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ARTIFACTS } from '../app/tokens.js';
import type { ArtifactStore } from '../storage/artifact-store.js';

const HASH = /^[0-9a-f]{64}$/;

/** Content of one session; a hash alone gives no access to another session's. */
export class ReadArtifact extends Query<Uint8Array | undefined> {
  constructor(
    readonly scope: { readonly tenantId: string; readonly sessionId: string },
    readonly hash: string,
  ) {
    super();
  }
}

@QueryHandler(ReadArtifact)
export class ReadArtifactHandler implements IQueryHandler<ReadArtifact, Uint8Array | undefined> {
  constructor(@Inject(ARTIFACTS) private readonly artifacts: ArtifactStore) {}

  async execute({ scope, hash }: ReadArtifact): Promise<Uint8Array | undefined> {
    return HASH.test(hash) ? this.artifacts.get(scope, hash) : undefined;
  }
}
