import type { Provider } from '@nestjs/common';
import { CheckCompactionHandler } from './check-compaction.js';
import { CompareSessionsHandler } from './compare-sessions.js';
import { HistoryReader } from './history-reader.js';
import { ReadArtifactHandler } from './read-artifact.js';
import { ReadCallHandler } from './read-call.js';
import { ReadContextHandler, ReadPastContextHandler } from './read-context.js';
import { ReadEffectsHandler } from './read-effects.js';
import { ReadEventsHandler } from './read-events.js';
import { ListFactsHandler, ReadFactHandler } from './read-facts.js';
import { ReadSessionHandler } from './read-session.js';
import { Renderings } from './renderings.js';

/** Queries that are answered from a session's own stream. */
export const HISTORY_PROVIDERS: Provider[] = [
  CheckCompactionHandler,
  CompareSessionsHandler,
  HistoryReader,
  ReadArtifactHandler,
  ReadCallHandler,
  ReadContextHandler,
  ReadPastContextHandler,
  ReadEffectsHandler,
  ReadEventsHandler,
  ListFactsHandler,
  ReadFactHandler,
  ReadSessionHandler,
  Renderings,
];
