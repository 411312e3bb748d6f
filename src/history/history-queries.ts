import type { Provider } from '@nestjs/common';
import { CheckCompactionHandler } from './check-compaction.js';
import { CompareSessionsHandler } from './compare-sessions.js';
import { EventFeed } from './event-feed.js';
import { HistoryReader } from './history-reader.js';
import { NewEvents } from './new-events.js';
import {
  OpenSessionFeedHandler,
  OpenTenantFeedHandler,
  ReadTenantEventsHandler,
} from './open-feed.js';
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
  EventFeed,
  HistoryReader,
  NewEvents,
  OpenSessionFeedHandler,
  OpenTenantFeedHandler,
  ReadTenantEventsHandler,
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
