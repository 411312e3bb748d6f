import { createHmac } from 'node:crypto';
import type { ArtifactSealing } from '../../src/storage/artifact-sealing.js';
import { plainSeal } from '../../src/storage/sealed/plain-seal.js';

/** A hash of content that differs from session to session; the content is kept as it is. */
export const ownerHash: ArtifactSealing = async ({ tenantId, sessionId }) =>
  plainSeal(() => createHmac('sha256', JSON.stringify([tenantId, sessionId])));
