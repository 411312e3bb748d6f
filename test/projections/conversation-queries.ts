import {
  type ItemsRequest,
  ListConversationItems,
  ListConversationItemsHandler,
} from '../../src/projections/conversation/conversation.query.js';
import { conversationProjection } from '../../src/projections/conversation/conversation-projection.js';
import { headerOf } from '../../src/projections/conversation/item-sections.js';
import { type ProjectionWorld, TENANT } from './projection-world.js';

/** Asks for conversations after the log has been followed to its end. */
export class ConversationQueries {
  constructor(private readonly world: ProjectionWorld) {}

  async page(sessionId: string, request: ItemsRequest = {}, tenantId = TENANT) {
    const { world } = this;
    await world.catchUp(conversationProjection);
    const handler = new ListConversationItemsHandler(
      world.queries([conversationProjection]),
      world.events,
      world.codec,
    );
    return (await handler.execute(new ListConversationItems(tenantId, sessionId, request))).page;
  }

  async previews(sessionId: string, request: ItemsRequest = {}) {
    return (await this.page(sessionId, request))?.items.map(({ preview }) => preview);
  }

  async header(sessionId: string) {
    await this.world.catchUp(conversationProjection);
    const readModels = this.world.queries([conversationProjection]);
    return headerOf(await readModels.of(conversationProjection, {}), TENANT, sessionId);
  }

  async call(sessionId: string, callId: string) {
    const found = await this.page(sessionId);
    return found?.items.find((item) => item.kind === 'toolCall' && item.callId === callId);
  }
}
