import type { Provider } from '@nestjs/common';
import { CompareVersionsHandler } from './compare-versions.js';
import { ReplaySessionHandler } from './replay-session.js';

/** Queries of those who look back: what changed, who did it, how it stood. */
export const AUDIT_PROVIDERS: Provider[] = [CompareVersionsHandler, ReplaySessionHandler];
