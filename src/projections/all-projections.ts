import { conversationProjection } from './conversation/conversation-projection.js';
import { costTreeProjection } from './cost-tree/cost-tree-projection.js';
import type { Projection } from './projection.js';
import { toolCallsProjection } from './tool-calls/tool-calls-projection.js';
import { sessionsProjection } from './sessions/sessions-projection.js';

export const allProjections: readonly Projection[] = [
  sessionsProjection,
  conversationProjection,
  costTreeProjection,
  toolCallsProjection,
];
