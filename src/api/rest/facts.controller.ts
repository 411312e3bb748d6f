import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiPropertyOptional,
  ApiTags,
} from '@nestjs/swagger';
import { IsBooleanString, IsOptional } from 'class-validator';
import type { CommandScope } from '../../commands/command-scope.js';
import { RecordFactsBody } from '../../commands/record-facts/record-facts.dto.js';
import { RecordFacts } from '../../commands/record-facts/record-facts.handler.js';
import { FACT_KINDS, type FactKind } from '../../domain/content.js';
import {
  type FactHistory,
  type FactVersion,
  ListFacts,
  ReadFact,
} from '../../history/read-facts.js';
import { Scope, checkedId } from '../request-scope.js';
import { Needs } from '../needs.js';
import { Problems, Write } from './answers.js';
import { AtQuery, PAGE_DEFAULT, PageSize } from './query-fields.js';
import { ReceiptView, receiptView } from './views.js';

export class FactsQuery extends AtQuery {
  @ApiPropertyOptional({ description: 'true: also facts that hold no longer.' })
  @IsOptional()
  @IsBooleanString()
  retired?: string;
}

export class VersionsQuery {
  @PageSize('How many versions, the newest first.')
  first: number = PAGE_DEFAULT;
}

export class FactView implements FactVersion {
  @ApiProperty()
  factId: string;

  @ApiProperty({ description: 'Counts from 1; no version is given twice in a session.' })
  version: number;

  @ApiProperty({ enum: FACT_KINDS })
  kind: FactKind;

  @ApiProperty({ description: 'As it was recorded, word for word.' })
  text: string;

  @ApiProperty({ description: 'It holds no longer.' })
  retired: boolean;

  @ApiProperty({ type: Object, description: '{sessionId, revision} of the event.' })
  at: FactVersion['at'];

  @ApiProperty({ format: 'date-time' })
  recordedAt: string;

  @ApiProperty({ description: 'Who recorded it.' })
  actor: string;
}

export class FactVersionView extends FactView {
  @ApiProperty({ description: 'A revert has taken it out.' })
  hidden: boolean;
}

export class FactListView {
  @ApiProperty({ type: [FactView] })
  facts: readonly FactView[];
}

export class FactHistoryView implements FactHistory {
  @ApiProperty()
  factId: string;

  @ApiProperty({ required: false, type: FactView, description: 'What holds now, if anything.' })
  current?: FactView;

  @ApiProperty({ type: [FactVersionView], description: 'The newest first.' })
  versions: readonly FactVersionView[];

  @ApiProperty({ description: 'How many older versions there are.' })
  more: number;
}

@ApiTags('facts')
@Controller('v1/sessions/:sessionId/facts')
export class FactsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Needs('session:write')
  @Post()
  @HttpCode(200)
  @ApiOperation({ summary: 'Record facts that every later context shows word for word' })
  @ApiOkResponse({ type: ReceiptView })
  @Write('limit_exceeded', 'idempotency_key_required')
  async record(@Scope() scope: CommandScope, @Body() body: RecordFactsBody): Promise<ReceiptView> {
    return receiptView(await this.commands.execute(new RecordFacts(scope, body)));
  }

  @Needs('content:read')
  @Get()
  @ApiOperation({ summary: 'The facts that hold, always current' })
  @ApiOkResponse({ type: FactListView })
  @Problems()
  async list(
    @Scope() scope: CommandScope,
    @Query() { at, retired }: FactsQuery,
  ): Promise<FactListView> {
    const request = { at, includeRetired: retired === 'true' };
    return { facts: await this.queries.execute(new ListFacts(scope, request)) };
  }

  @Needs('content:read')
  @Get(':factId')
  @ApiOperation({ summary: 'One fact with all its versions' })
  @ApiOkResponse({ type: FactHistoryView })
  @Problems()
  read(
    @Scope() scope: CommandScope,
    @Param('factId') factId: string,
    @Query() { first }: VersionsQuery,
  ): Promise<FactHistoryView> {
    return this.queries.execute(new ReadFact(scope, checkedId(factId), first));
  }
}
