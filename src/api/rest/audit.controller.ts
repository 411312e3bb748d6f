import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CompareVersions } from '../../audit/compare-versions.js';
import type { CommandScope } from '../../commands/command-scope.js';
import { Needs } from '../needs.js';
import { Scope } from '../request-scope.js';
import { Problems } from './answers.js';
import { VersionDifferenceView, VersionsToCompareQuery } from './audit-views.js';

@ApiTags('audit')
@Controller('v1')
export class AuditController {
  constructor(private readonly queries: QueryBus) {}

  @Needs('content:read')
  @Get('sessions/:sessionId/changes')
  @ApiOperation({
    summary: 'What changed between two versions: state, calls, facts, model input, cost',
  })
  @ApiOkResponse({ type: VersionDifferenceView })
  @Problems()
  changes(
    @Scope() scope: CommandScope,
    @Query() { from, to }: VersionsToCompareQuery,
  ): Promise<VersionDifferenceView> {
    return this.queries.execute(new CompareVersions(scope, from, to));
  }
}
