import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ARTIFACTS } from '../tokens.js';
import type { ArtifactStore, StoredArtifact } from '../storage/artifact-store.js';
import { segmentsOf } from '../domain/shown.js';
import { HistoryReader } from './history-reader.js';

/** Content of one session and of what it inherited; a hash alone gives no access to another's. */
export class ReadArtifact extends Query<StoredArtifact | undefined> {
  constructor(
    readonly scope: { readonly tenantId: string; readonly sessionId: string },
    readonly hash: string,
  ) {
    super();
  }
}

@QueryHandler(ReadArtifact)
export class ReadArtifactHandler implements IQueryHandler<
  ReadArtifact,
  StoredArtifact | undefined
> {
  constructor(
    private readonly history: HistoryReader,
    @Inject(ARTIFACTS) private readonly artifacts: ArtifactStore,
  ) {}

  /** @throws Rejection `not_found` when there is no such session. */
  async execute({ scope, hash }: ReadArtifact): Promise<StoredArtifact | undefined> {
    const { tenantId } = scope;
    const state = await this.history.readable(tenantId, scope.sessionId);
    const sessionIds = new Set(segmentsOf(state).map(({ sessionId }) => sessionId));
    for (const sessionId of [...sessionIds].reverse()) {
      const found = await this.artifacts.find({ tenantId, sessionId }, hash);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
