import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ARTIFACTS } from '../../tokens.js';
import { sessionErased } from '../../domain/decide-erasure.js';
import { Rejection } from '../../domain/rejection.js';
import { exists } from '../../domain/state.js';
import { sessionStream } from '../../identity/derived-ids.js';
import type {
  ArtifactContent,
  ArtifactReference,
  ArtifactStore,
} from '../../storage/artifact-store.js';
import type { CommandScope } from '../command-scope.js';
import { isTextual } from '../../redaction/redactor.js';
import { withoutSecrets } from '../../redaction/redacting-stream.js';
import { TenantRedaction } from '../redaction/tenant-redaction.js';
import { SessionRepository } from '../session-repository.js';

/** Content for a later input or result to name; the same content again is the same artifact. */
export class KeepArtifact extends Command<ArtifactReference> {
  constructor(
    readonly scope: CommandScope,
    readonly content: ArtifactContent,
    readonly mediaType: string,
  ) {
    super();
  }
}

@CommandHandler(KeepArtifact)
export class KeepArtifactHandler implements ICommandHandler<KeepArtifact, ArtifactReference> {
  constructor(
    private readonly sessions: SessionRepository,
    @Inject(ARTIFACTS) private readonly artifacts: ArtifactStore,
    private readonly redaction: TenantRedaction,
  ) {}

  /** @throws Rejection `not_found`, ArtifactTooLargeError, and whatever the content throws. */
  async execute({ scope, content, mediaType }: KeepArtifact): Promise<ArtifactReference> {
    const { tenantId, sessionId } = scope;
    const state = await this.sessions.loadCurrent(sessionStream(tenantId, sessionId));
    if (!exists(state)) throw new Rejection('not_found', `there is no session ${sessionId}`);
    if (state.erasure !== undefined) throw sessionErased(state);
    const redactor = isTextual(mediaType)
      ? await this.redaction.beforeAppend({ tenantId, sessionId })
      : undefined;
    const owner = { tenantId, sessionId };
    if (redactor === undefined) return this.artifacts.put(owner, content, mediaType);
    return this.artifacts.put(owner, withoutSecrets(piecesOf(content), redactor), mediaType);
  }
}

async function* piecesOf(content: ArtifactContent): AsyncGenerator<Uint8Array> {
  if (content instanceof Uint8Array) yield content;
  else yield* content;
}
