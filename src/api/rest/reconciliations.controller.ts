import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import {
  ListReconciliations,
  type Reconciliation,
} from '../../reconciliation/list-reconciliations.query.js';
import type { Principal } from '../principal.js';
import { Sender } from '../request-scope.js';
import { Needs } from '../needs.js';
import { ListOpenCalls } from '../../projections/sessions/open-calls.query.js';
import { Problems } from './answers.js';
import { OpenCallsQuery, OpenCallsView, openCallView } from './open-call-views.js';
import { FirstQuery } from './query-fields.js';
import { CallView, callView } from './views.js';

export class OpenCallView extends CallView {
  @ApiProperty({
    description: 'When something happens to it without anybody.',
    format: 'date-time',
    required: false,
  })
  dueAt?: string;
}

export class ReconciliationView {
  @ApiProperty()
  sessionId: string;

  @ApiProperty({
    description: 'Why it is not forgotten. unaccounted: a defect of Holdfast; report it.',
    enum: ['owned', 'scheduled', 'waiting', 'resting', 'unaccounted'],
  })
  class: string;

  @ApiProperty({ description: 'Who owns it.', required: false })
  by?: string;

  @ApiProperty({ description: 'Whom it waits for.', required: false })
  for?: string;

  @ApiProperty({ description: 'Until when.', format: 'date-time', required: false })
  dueAt?: string;

  @ApiProperty({
    description: 'Its stored events are damaged, and nobody can go on with it.',
    required: false,
  })
  damage?: string;

  @ApiProperty({ type: [OpenCallView], description: 'Calls without a final outcome.' })
  calls: readonly OpenCallView[];
}

export class ReconciliationsView {
  @ApiProperty({ type: [ReconciliationView] })
  sessions: readonly ReconciliationView[];
}

@ApiTags('reconciliations')
@Controller('v1/reconciliations')
export class ReconciliationsController {
  constructor(private readonly queries: QueryBus) {}

  @Needs('session:read')
  @Get()
  @ApiOperation({
    summary: 'Sessions not at rest: who has them, what is due, who must decide what by when',
  })
  @ApiOkResponse({ type: ReconciliationsView })
  @Problems('store_unavailable')
  async list(
    @Sender() { tenantId }: Principal,
    @Query() { first }: FirstQuery,
  ): Promise<ReconciliationsView> {
    const sessions = await this.queries.execute(new ListReconciliations(tenantId, first));
    return { sessions: sessions.map(reconciliationView) };
  }

  @Needs('session:read')
  @Get('calls')
  @ApiOperation({
    summary: 'Tool calls without a final outcome, and who must decide what by when; a read model',
  })
  @ApiOkResponse({ type: OpenCallsView })
  @Problems('store_unavailable')
  async calls(
    @Sender() { tenantId }: Principal,
    @Query() { first, question, asked, state }: OpenCallsQuery,
  ): Promise<OpenCallsView> {
    const filter = { question, asked, state };
    const calls = await this.queries.execute(new ListOpenCalls(tenantId, filter, first));
    return { calls: calls.map(openCallView) };
  }
}

function reconciliationView({
  sessionId,
  account,
  calls,
  damage,
}: Reconciliation): ReconciliationView {
  const open = calls.map(({ call, dueAt }) => ({ ...callView(call), dueAt }));
  return { ...account, sessionId, damage, calls: open };
}
