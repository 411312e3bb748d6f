import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { documented } from '../../commands/dto/documented-fields.js';
import { ToolBody } from '../../commands/dto/tool-body.js';
import { ListTools } from '../../commands/register-tools/list-tools.query.js';
import { RegisterToolsBody } from '../../commands/register-tools/register-tools.dto.js';
import { RegisterTools } from '../../commands/register-tools/register-tools.handler.js';
import type { Principal } from '../principal.js';
import { Sender } from '../request-scope.js';
import { Needs } from '../needs.js';
import { Problems } from './answers.js';

export class ToolView extends ToolBody {
  @documented({ description: 'Counted by Holdfast.' })
  version: number;
}

export class RegisteredToolView extends ToolView {
  @documented({ description: 'False: the newest version says the same already.' })
  added: boolean;
}

export class ToolListView {
  @ApiProperty({ type: [ToolView] })
  tools: readonly ToolView[];
}

export class RegisteredToolsView {
  @ApiProperty({ type: [RegisteredToolView] })
  tools: readonly RegisteredToolView[];
}

@ApiTags('tools')
@Controller('v1/tools')
export class ToolsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Needs('manifest:write')
  @Post()
  @HttpCode(200)
  @ApiOperation({ summary: 'Register what tools promise; open calls keep what they have' })
  @ApiOkResponse({ type: RegisteredToolsView })
  @Problems(
    'invalid_manifest',
    'limit_exceeded',
    'version_conflict',
    'too_large',
    'append_unknown',
    'store_unavailable',
  )
  async register(
    @Sender() { tenantId, actor }: Principal,
    @Body() { tools }: RegisterToolsBody,
  ): Promise<RegisteredToolsView> {
    const registered = await this.commands.execute(new RegisterTools({ tenantId, actor }, tools));
    return { tools: registered.map(toolView) };
  }

  @Needs('session:read')
  @Get()
  @ApiOperation({ summary: 'The newest version of each registered tool' })
  @ApiOkResponse({ type: ToolListView })
  @Problems('store_unavailable')
  async list(@Sender() { tenantId }: Principal): Promise<ToolListView> {
    return { tools: (await this.queries.execute(new ListTools(tenantId))).map(toolView) };
  }

  @Needs('session:read')
  @Get(':name')
  @ApiOperation({ summary: 'Every version of a registered tool, the newest first' })
  @ApiOkResponse({ type: ToolListView })
  @Problems('store_unavailable')
  async show(
    @Sender() { tenantId }: Principal,
    @Param('name') name: string,
  ): Promise<ToolListView> {
    return { tools: (await this.queries.execute(new ListTools(tenantId, name))).map(toolView) };
  }
}

/** "Never" is left out, as it is in a request. */
function toolView<Tool extends { readonly notFoundIsFinalAfterMs: number | null }>(
  tool: Tool,
): Omit<Tool, 'notFoundIsFinalAfterMs'> & { notFoundIsFinalAfterMs?: number } {
  const { notFoundIsFinalAfterMs, ...rest } = tool;
  return { ...rest, notFoundIsFinalAfterMs: notFoundIsFinalAfterMs ?? undefined };
}
