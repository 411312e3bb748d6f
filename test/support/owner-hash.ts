import { createHmac } from 'node:crypto';
import type { ArtifactHash } from '../../src/storage/artifact-store.js';

/** A hash of content that differs from session to session, as the installation's keys make it. */
export const ownerHash: ArtifactHash = ({ tenantId, sessionId }) =>
  createHmac('sha256', JSON.stringify([tenantId, sessionId]));
