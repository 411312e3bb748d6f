import { GraphQLID, GraphQLNonNull, GraphQLString } from 'graphql';
import type { SessionEventRecord } from '../../domain/events.js';
import type { Feed } from '../../history/event-feed.js';
import { eventView, tenantEventView } from '../rest/event-views.js';
import type { JsonSchemaTypes } from './json-schema-types.js';
import { type Field, orError } from './operation-fields.js';
import { SafeIntScalar } from './scalars.js';

/** What there is behind a place, and then what comes: the feed that REST sends as an event stream. */
export function subscriptionFields(types: JsonSchemaTypes): Readonly<Record<string, Field>> {
  return {
    events: {
      description: 'What happens in all sessions, in the order of the log.',
      type: new GraphQLNonNull(types.object('TenantEventView')),
      args: {
        after: { type: GraphQLString, description: 'Position: only what comes behind it.' },
        types: { type: GraphQLString, description: 'Only events of these types, with commas.' },
        sessions: { type: GraphQLString, description: 'Only of these sessions, with commas.' },
        actor: { type: GraphQLString, description: 'Only what this one has caused.' },
      },
      subscribe: (_, { after, types: names, sessions, actor }, asking) =>
        followed(
          'events',
          asking.feeds.ofTenant({ after, types: names, sessions, actor }),
          tenantEventView,
        ),
      resolve: (event) => event,
    },
    sessionEvents: {
      description: "The session's own log, as it is recorded.",
      type: new GraphQLNonNull(types.object('EventView')),
      args: {
        sessionId: { type: new GraphQLNonNull(GraphQLID) },
        after: { type: SafeIntScalar, description: 'Revision: only what comes behind it.' },
      },
      subscribe: (_, { sessionId, after }, asking) =>
        followed(
          'sessionEvents',
          asking.feeds.ofSession(sessionId as string, after as number),
          eventView,
        ),
      resolve: (event) => event,
    },
  };
}

async function followed(
  field: string,
  opened: Promise<Feed>,
  view: (record: SessionEventRecord) => object,
): Promise<AsyncIterableIterator<object>> {
  const feed = await orError(field, opened);
  const events = eventsOf(feed, view);
  const iterator: AsyncIterableIterator<object> = {
    next: () => events.next(),
    // A generator that waits for the next event hears of nothing else; its feed does.
    return: () => {
      feed.end();
      return events.return(undefined);
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  return iterator;
}

async function* eventsOf(
  { pages }: Feed,
  view: (record: SessionEventRecord) => object,
): AsyncGenerator<object, undefined, undefined> {
  for await (const { events } of pages) for (const record of events) yield view(record);
}
