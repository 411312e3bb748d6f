import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiTags,
} from '@nestjs/swagger';
import type { CommandScope } from '../../commands/command-scope.js';
import {
  CheckCompactionBody,
  CommitCompactionBody,
  FailCompactionBody,
  StartCompactionBody,
} from '../../commands/compact/compact.dto.js';
import {
  CommitCompaction,
  FailCompaction,
  StartCompaction,
} from '../../commands/compact/compact.handler.js';
import { CheckCompaction } from '../../history/check-compaction.js';
import { Scope, checkedId } from '../request-scope.js';
import { Needs } from '../needs.js';
import { Problems, Write } from './answers.js';
import { CommittedCompactionView, OmissionsView, omissionsView } from './omission-views.js';
import { ReceiptView, eventIn, receiptView } from './views.js';

/** What a summary must do, for the model or person who writes it. */
const SUMMARY_RULES = [
  'Keep amounts, paths, identifiers, URLs, dates and versions exactly as they stand.',
  'Keep every constraint, with its negation.',
  'Keep decisions and their reasons, open questions, and what was promised to the user.',
  'Say which tool calls have no known outcome; claim neither success nor failure for them.',
  'Do not repeat recorded facts: they are shown beside the summary, word for word.',
];

export class CompactionView extends ReceiptView {
  @ApiProperty()
  compactionId: string;

  @ApiProperty({ required: false, type: Object, description: 'First covered event.' })
  coveredFrom?: object;

  @ApiProperty({ required: false, type: Object, description: 'Last covered event.' })
  coveredTo?: object;

  @ApiProperty({ required: false, type: Object, description: 'First event of the kept tail.' })
  keptFrom?: object;

  @ApiProperty({ required: false, description: 'The covered conversation, to be summarised.' })
  text?: string;

  @ApiProperty({ required: false, description: 'The earlier summary; the new one takes it in.' })
  earlierSummary?: string;

  @ApiProperty({ type: [String], description: 'What the summary must keep.' })
  rules: readonly string[];

  @ApiProperty({ required: false })
  tokensBefore?: number;

  @ApiProperty({ required: false })
  tokensKept?: number;
}

@ApiTags('compactions')
@Controller('v1/sessions/:sessionId/compactions')
export class CompactionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Needs('run:execute')
  @Post()
  @ApiOperation({ summary: 'Ask for the range to summarise; inputs go on being accepted' })
  @ApiCreatedResponse({ type: CompactionView })
  @Write('stale_epoch', 'run_stopped', 'compaction_open', 'nothing_to_compact')
  async start(
    @Scope() scope: CommandScope,
    @Body() body: StartCompactionBody,
  ): Promise<CompactionView> {
    const handled = await this.commands.execute(new StartCompaction(scope, body));
    const started = eventIn(handled, 'CompactionStarted');
    const { range } = handled;
    return {
      ...receiptView(handled),
      compactionId: started?.compactionId ?? '',
      coveredFrom: started?.coveredFrom,
      coveredTo: started?.coveredTo,
      keptFrom: started?.keptFrom,
      text: range?.text,
      earlierSummary: range?.earlierSummary,
      rules: SUMMARY_RULES,
      tokensBefore: started?.tokensBefore,
      tokensKept: range?.tokensKept,
    };
  }

  @Needs('content:read')
  @Post(':compactionId/check')
  @HttpCode(200)
  @ApiOperation({
    summary: 'What a summary would lose: said in the covered range, in neither summary nor facts',
  })
  @ApiOkResponse({ type: OmissionsView })
  @Problems()
  async check(
    @Scope() scope: CommandScope,
    @Param('compactionId') compactionId: string,
    @Body() body: CheckCompactionBody,
  ): Promise<OmissionsView> {
    const request = new CheckCompaction(scope, checkedId(compactionId), body.summary);
    return omissionsView(await this.queries.execute(request));
  }

  @Needs('run:execute')
  @Post(':compactionId/commit')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Put a summary in place of the covered range; the log keeps everything',
  })
  @ApiOkResponse({ type: CommittedCompactionView })
  @Write('stale_epoch', 'run_stopped', 'nothing_to_compact')
  async commit(
    @Scope() scope: CommandScope,
    @Param('compactionId') compactionId: string,
    @Body() body: CommitCompactionBody,
  ): Promise<CommittedCompactionView> {
    const request = new CommitCompaction(scope, { compactionId: checkedId(compactionId), body });
    const handled = await this.commands.execute(request);
    const compacted = eventIn(handled, 'Compacted');
    return {
      ...receiptView(handled),
      omissions: compacted?.omissions,
      omissionsCut: compacted?.omissionsCut,
    };
  }

  @Needs('run:execute')
  @Post(':compactionId/fail')
  @HttpCode(200)
  @ApiOperation({ summary: 'Give it up; it had no effect' })
  @ApiOkResponse({ type: ReceiptView })
  @Write('stale_epoch')
  async fail(
    @Scope() scope: CommandScope,
    @Param('compactionId') compactionId: string,
    @Body() body: FailCompactionBody,
  ): Promise<ReceiptView> {
    const request = new FailCompaction(scope, { compactionId: checkedId(compactionId), body });
    return receiptView(await this.commands.execute(request));
  }
}
