import { Readable } from 'node:stream';
import { Body, Controller, Get, HttpCode, Post, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { AuditExportBody, filterIn } from '../../audit/audit-export.dto.js';
import { CompareVersions } from '../../audit/compare-versions.js';
import { type AuditExport, ExportAudit } from '../../audit/export-audit.js';
import { ReadAudit } from '../../audit/read-audit.js';
import type { CommandScope } from '../../commands/command-scope.js';
import { Needs } from '../needs.js';
import type { Principal } from '../principal.js';
import { Scope, Sender } from '../request-scope.js';
import { Problems } from './answers.js';
import {
  AuditEntriesView,
  AuditQuery,
  VersionDifferenceView,
  VersionsToCompareQuery,
  auditFilterOf,
} from './audit-views.js';
import { NDJSON } from './feed-stream.js';

@ApiTags('audit')
@Controller('v1')
export class AuditController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Needs('audit:read')
  @Get('audit')
  @ApiOperation({
    summary: 'Who did what: in all sessions, and with keys, tools, budgets and exports',
    description: 'In the order of the log, without contents.',
  })
  @ApiOkResponse({ type: AuditEntriesView })
  @Problems('store_unavailable')
  read(@Sender() { tenantId }: Principal, @Query() query: AuditQuery): Promise<AuditEntriesView> {
    const { after, first } = query;
    const filter = auditFilterOf(query);
    return this.queries.execute(new ReadAudit(tenantId, filter, BigInt(after), first));
  }

  @Needs('audit:export')
  @Post('audit/exports')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Everything that happened, with contents, and a manifest as the last line',
    description:
      'One event per line; the last line is {manifest}: who exported what and when, the versions of ' +
      'each session, and the SHA-256 of all lines before. The export itself is recorded first.',
  })
  @ApiOkResponse({
    description: 'Without the last line it is not whole.',
    content: { [NDJSON]: { schema: { type: 'string' } } },
  })
  @Problems('version_conflict', 'append_unknown', 'store_unavailable')
  async export(
    @Sender() { tenantId, actor }: Principal,
    @Body() body: AuditExportBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    const command = new ExportAudit({ tenantId, actor }, filterIn(body), body.redact);
    const exported = await this.commands.execute(command);
    void reply.header('Content-Type', `${NDJSON}; charset=utf-8`);
    return Readable.from(withManifest(exported), { objectMode: true, highWaterMark: 1 });
  }

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

async function* withManifest({ lines, manifest }: AuditExport): AsyncGenerator<string> {
  yield* lines;
  yield `${JSON.stringify({ manifest: manifest() })}\n`;
}
