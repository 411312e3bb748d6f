import { Global, Module } from '@nestjs/common';
import { CqrsModule, QueryBus } from '@nestjs/cqrs';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from '@jest/globals';
import {
  childStarted,
  inputAccepted,
  inputDelivered,
  priced,
  sessionStarted,
  settled,
  usage,
} from '../../test/projections/session-events.js';
import { ProjectionWorld, TENANT } from '../../test/projections/projection-world.js';
import { CLOCK, CODEC, CONFIGURATION, EVENT_STORE, LEASES, READ_MODELS } from '../tokens.js';
import { ListConversationItems } from './conversation/conversation.query.js';
import { GetChildCosts, GetSessionCost } from './cost-tree/cost-tree.query.js';
import { ProjectionsModule } from './projections.module.js';
import { formatReadPosition } from './read-position.js';
import { GetSession, ListSessions } from './sessions/sessions.query.js';

const world = new ProjectionWorld();

@Global()
@Module({
  providers: [
    { provide: EVENT_STORE, useValue: world.events },
    { provide: READ_MODELS, useValue: world.readModels },
    { provide: LEASES, useValue: world.leases },
    { provide: CODEC, useValue: world.codec },
    { provide: CLOCK, useValue: Date.now },
    { provide: CONFIGURATION, useValue: { instanceLeaseTtlMs: 10_000 } },
  ],
  exports: [EVENT_STORE, READ_MODELS, LEASES, CODEC, CLOCK, CONFIGURATION],
})
class Ports {}

describe('the projections in the application', () => {
  it('follow the log while it runs, and every query reads what was written', async () => {
    const module = await Test.createTestingModule({
      imports: [Ports, CqrsModule.forRoot(), ProjectionsModule],
    }).compile();
    await module.init();
    const queries = module.get(QueryBus);
    const call = settled('k1', { usage: usage({ inputFresh: 1 }), cost: priced(7n) });
    await world.append('s1', [
      sessionStarted('s1'),
      inputAccepted('i1', 'hi'),
      inputDelivered('i1'),
    ]);
    const position = await world.append('c1', [childStarted('c1', 's1'), call]);
    const demand = { atLeast: formatReadPosition(position) };
    const fresh = { asOf: { position: '5', stale: false } };
    expect(await queries.execute(new ListSessions(TENANT, {}, {}, demand))).toMatchObject({
      ...fresh,
      sessions: [{ sessionId: 'c1' }, { sessionId: 's1', status: 'idle' }],
    });
    expect(await queries.execute(new GetSession(TENANT, 's1', demand))).toMatchObject(fresh);
    expect(
      await queries.execute(new ListConversationItems(TENANT, 's1', {}, demand)),
    ).toMatchObject({
      ...fresh,
      page: { items: [{ kind: 'user', content: { blocks: [{ text: 'hi' }] } }] },
    });
    expect(await queries.execute(new GetSessionCost(TENANT, 's1', {}, demand))).toMatchObject({
      ...fresh,
      cost: { inclusive: { amounts: [{ amountPico: '7' }] } },
    });
    expect(await queries.execute(new GetChildCosts(TENANT, 's1', {}, {}, demand))).toMatchObject({
      ...fresh,
      children: [{ sessionId: 'c1', edge: 'subagent' }],
    });
    await module.close();
    await world.append('c1', [inputAccepted('i9', 'after the end')]);
    const late = { atLeast: '6', waitMs: 50 };
    expect(await queries.execute(new GetSession(TENANT, 'c1', late))).toMatchObject({
      asOf: { position: '5', stale: true },
    });
  });
});
