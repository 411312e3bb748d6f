import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import type { CommandScope } from '../../commands/command-scope.js';
import { EraseSessionBody } from '../../erasure/erase-session.dto.js';
import { EraseSession } from '../../erasure/erase-session.handler.js';
import type { ErasureReport } from '../../erasure/erasure-report.js';
import { Needs } from '../needs.js';
import { Scope } from '../request-scope.js';
import { Problems } from './answers.js';

export class ExportBeforeView {
  @ApiProperty({ required: false, description: 'Of an audit export.' })
  exportId?: string;

  @ApiProperty({
    enum: ['audit', 'store'],
    description: '`audit`: of events, readable; `store`: of the whole store, encrypted.',
  })
  kind: string;

  @ApiProperty()
  at: string;

  @ApiProperty()
  actor: string;

  @ApiProperty({
    enum: ['finished', 'underWay'],
    description: '`underWay`: nobody has said that it was finished; it may have been given up.',
  })
  status: string;
}

export class ErasureView {
  @ApiProperty()
  sessionId: string;

  @ApiProperty({
    enum: ['done', 'pending'],
    description: '`pending`: nothing of it is read any more, and destroying it goes on by itself.',
  })
  status: string;

  @ApiProperty({ description: 'From then on no content was answered.' })
  erasedAt: string;

  @ApiProperty({ type: [String], description: 'Sessions that are erased with it.' })
  descendants: readonly string[];

  @ApiProperty({
    type: [String],
    description: 'Child sessions that were left: they have contents of their own.',
  })
  children: readonly string[];

  @ApiProperty({
    type: [ExportBeforeView],
    description:
      'Copies that were handed out while the session had its content, and that nobody can call back.',
  })
  exports: readonly ExportBeforeView[];

  @ApiProperty({ required: false, description: 'Artifacts that were deleted.' })
  artifacts?: number;

  @ApiProperty({ required: false })
  completedAt?: string;

  @ApiProperty({
    required: false,
    description: 'Until then backups of the keys have to be gone: one of them could undo it.',
  })
  keyBackupsExpireAt?: string;
}

export function erasureView(report: ErasureReport): ErasureView {
  const { sessionId, status, erasure, children, exports } = report;
  const { erasedAt, descendants, artifacts, completedAt, keyBackupsExpireAt } = erasure;
  const ends = { artifacts, completedAt, keyBackupsExpireAt };
  return { sessionId, status, erasedAt, descendants, children, exports, ...ends };
}

@ApiTags('erasure')
@Controller('v1/sessions/:sessionId')
export class ErasuresController {
  constructor(private readonly commands: CommandBus) {}

  @Needs('session:erase')
  @Post('erase')
  @HttpCode(200)
  @ApiOperation({
    summary: "Destroy a session's content for good; doing it again tells how far it is",
  })
  @ApiOkResponse({ type: ErasureView })
  @Problems(
    'has_descendants',
    'unknown_outcomes',
    'invalid_state',
    'version_conflict',
    'append_unknown',
    'store_unavailable',
  )
  async erase(@Scope() scope: CommandScope, @Body() body: EraseSessionBody): Promise<ErasureView> {
    return erasureView(await this.commands.execute(new EraseSession(scope, body)));
  }
}
