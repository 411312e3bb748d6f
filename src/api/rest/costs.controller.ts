import { Controller, Get, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { CommandScope } from '../../commands/command-scope.js';
import type { ParentEdge } from '../../domain/events/session-events.js';
import { ReadSession } from '../../history/read-session.js';
import { GetCostSeries } from '../../projections/cost-series/cost-series.query.js';
import { groupsCsv, seriesCsv } from '../../projections/cost-series/series-csv.js';
import { seriesWishOf } from '../../projections/cost-series/series-wish.js';
import { ListCallCosts } from '../../projections/cost-tree/cost-calls.query.js';
import { GetChildCosts, GetSessionCost } from '../../projections/cost-tree/cost-tree.query.js';
import type { Principal } from '../principal.js';
import { refuseStale } from './refuse-stale.js';
import { ProblemError } from '../problem.js';
import { Scope, Sender } from '../request-scope.js';
import { Needs } from '../needs.js';
import { Problems } from './answers.js';
import { CSV_TYPE, ChildCostsQuery, CostSeriesQuery, SessionCostQuery } from './cost-fields.js';
import {
  CallCostListView,
  ChildCostListView,
  CostSeriesView,
  SessionCostView,
} from './cost-views.js';
import { PageQuery } from './query-fields.js';

@ApiTags('cost')
@Controller('v1')
export class CostsController {
  constructor(private readonly queries: QueryBus) {}

  @Needs('session:read')
  @Get('cost')
  @ApiOperation({ summary: 'Usage and cost by day, model, user, label or session' })
  @ApiProduces('application/json', 'text/csv')
  @ApiOkResponse({ type: CostSeriesView })
  @Problems('read_model_stale', 'limit_exceeded')
  async series(
    @Sender() sender: Principal,
    @Query() query: CostSeriesQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CostSeriesView | string> {
    const { atLeast, format } = query;
    const wish = seriesWishOf(query);
    const series = await this.queries.execute(
      new GetCostSeries(sender.tenantId, wish, { atLeast }),
    );
    if (format !== 'csv') return series;
    refuseStale(series.asOf);
    void reply.type(CSV_TYPE);
    return seriesCsv(series.rows, wish);
  }

  @Needs('session:read')
  @Get('sessions/:sessionId/cost')
  @ApiOperation({ summary: 'Own, descendants and inclusive usage and cost, now or at any moment' })
  @ApiProduces('application/json', 'text/csv')
  @ApiOkResponse({ type: SessionCostView })
  @Problems('read_model_stale', 'limit_exceeded')
  async cost(
    @Scope() { tenantId, sessionId }: CommandScope,
    @Query() { edges, by, label, asOf, from, to, zone, format, atLeast }: SessionCostQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionCostView | string> {
    const scope = { edges: edgesIn(edges), by, label, asOf, from, to, zone };
    const found = await this.queries.execute(
      new GetSessionCost(tenantId, sessionId, scope, { atLeast }),
    );
    const { cost } = found;
    if (cost === undefined) {
      refuseStale(found.asOf);
      const then = asOf === undefined ? '' : ` at ${asOf}`;
      throw new ProblemError('not_found', `there is no session ${sessionId}${then}`);
    }
    if (format !== 'csv') return cost;
    if (cost.groups === undefined) {
      throw new ProblemError('invalid_request', 'a table needs groups: say by what, with `by`');
    }
    refuseStale(cost.asOf);
    void reply.type(CSV_TYPE);
    return groupsCsv(cost.groups);
  }

  @Needs('session:read')
  @Get('sessions/:sessionId/cost/children')
  @ApiOperation({ summary: 'Costs of the direct children, page by page' })
  @ApiOkResponse({ type: ChildCostListView })
  @Problems('read_model_stale')
  async children(
    @Scope() scope: CommandScope,
    @Query() { first, after, atLeast, edges }: ChildCostsQuery,
  ): Promise<ChildCostListView> {
    await this.queries.execute(new ReadSession(scope));
    const { tenantId, sessionId } = scope;
    const page = { limit: first, cursor: after };
    return this.queries.execute(
      new GetChildCosts(tenantId, sessionId, { edges: edgesIn(edges) }, page, { atLeast }),
    );
  }

  @Needs('session:read')
  @Get('sessions/:sessionId/cost/calls')
  @ApiOperation({ summary: "The session's own calls, one by one: what each figure consists of" })
  @ApiOkResponse({ type: CallCostListView })
  @Problems('read_model_stale')
  async calls(
    @Scope() scope: CommandScope,
    @Query() { first, after, atLeast }: PageQuery,
  ): Promise<CallCostListView> {
    await this.queries.execute(new ReadSession(scope));
    const page = { limit: first, cursor: after };
    return this.queries.execute(
      new ListCallCosts(scope.tenantId, scope.sessionId, page, { atLeast }),
    );
  }
}

function edgesIn(text: string | undefined): readonly ParentEdge[] | undefined {
  return text?.split(',') as ParentEdge[] | undefined;
}

/** A table has no place to say that it is old. */
