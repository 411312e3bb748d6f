import { Body, Controller, Get, HttpCode, Put } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiTags,
} from '@nestjs/swagger';
import {
  RedactionPatternBody,
  RedactionPolicyBody,
} from '../../commands/redaction/redaction-policy.dto.js';
import {
  ReadRedactionPolicy,
  SetRedactionPolicy,
} from '../../commands/redaction/redaction-policy.handlers.js';
import type { RedactionPolicy } from '../../domain/redaction/redaction-policy.js';
import { KNOWN_RULES } from '../../redaction/redaction-rules.js';
import { Needs } from '../needs.js';
import type { Principal } from '../principal.js';
import { Sender } from '../request-scope.js';
import { Problems } from './answers.js';

class RedactionView {
  @ApiProperty({ enum: ['flag', 'mask'] })
  entropy: RedactionPolicy['entropy'];

  @ApiProperty({ type: [RedactionPatternBody] })
  patterns: RedactionPolicy['patterns'];

  @ApiProperty({ type: [String], description: 'Rules that hold in every tenant.' })
  knownRules: readonly string[];
}

@ApiTags('redaction')
@Controller('v1/redaction')
export class RedactionController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Needs('manifest:write', 'audit:read')
  @Get()
  @ApiOperation({ summary: 'Which secrets are masked before anything is stored' })
  @ApiOkResponse({ type: RedactionView })
  @Problems('store_unavailable')
  async read(@Sender() { tenantId }: Principal): Promise<RedactionView> {
    const { entropy, patterns } = await this.queries.execute(new ReadRedactionPolicy(tenantId));
    return { entropy, patterns, knownRules: KNOWN_RULES };
  }

  @Needs('manifest:write')
  @Put()
  @HttpCode(204)
  @ApiOperation({
    summary: "Set the tenant's own patterns",
    description: 'Holds for what is stored from then on: here at once, elsewhere in ten seconds.',
  })
  @ApiNoContentResponse()
  @Problems('version_conflict', 'too_large', 'append_unknown', 'store_unavailable')
  async set(
    @Sender() { tenantId, actor }: Principal,
    @Body() { entropy, patterns }: RedactionPolicyBody,
  ): Promise<void> {
    const plain = patterns.map((one) => ({ ...one }));
    const policy = { entropy, patterns: plain };
    await this.commands.execute(new SetRedactionPolicy({ tenantId, actor }, policy));
  }
}
