import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiPropertyOptional,
  ApiTags,
} from '@nestjs/swagger';
import {
  AddAccessKeyBody,
  RotateAccessKeyBody,
} from '../../commands/access-keys/access-key.dto.js';
import {
  AddAccessKey,
  type GivenAccessKey,
  ListAccessKeys,
  RevokeAccessKey,
  RotateAccessKey,
} from '../../commands/access-keys/access-keys.handlers.js';
import type { AccessKey } from '../../domain/access/access-keys.js';
import { type Role, roles } from '../../domain/access/access-scopes.js';
import { Needs } from '../needs.js';
import type { Principal } from '../principal.js';
import { Sender, checkedId } from '../request-scope.js';
import { Problems } from './answers.js';

class KeyView {
  @ApiProperty()
  keyId: string;

  @ApiProperty()
  name: string;

  @ApiProperty({ enum: roles, isArray: true })
  roles: readonly Role[];

  @ApiProperty()
  addedBy: string;

  @ApiProperty({ format: 'date-time' })
  addedAt: string;

  @ApiProperty({ format: 'date-time' })
  expiresAt: string;

  @ApiPropertyOptional({ description: 'The key that this one takes over from.' })
  replaces?: string;

  @ApiPropertyOptional({ format: 'date-time' })
  revokedAt?: string;

  @ApiPropertyOptional({ format: 'date', description: 'To the day, in UTC.' })
  lastUsedOn?: string;
}

class KeyListView {
  @ApiProperty({ type: [KeyView] })
  keys: readonly KeyView[];
}

class GivenKeyView extends KeyView {
  @ApiProperty({ description: 'The key itself. It is shown this once and kept nowhere.' })
  key: string;
}

@ApiTags('keys')
@Controller('v1/keys')
export class KeysController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Needs('key:manage')
  @Get()
  @ApiOperation({ summary: "The tenant's keys, also those that open nothing any more" })
  @ApiOkResponse({ type: KeyListView })
  @Problems('store_unavailable')
  async list(@Sender() { tenantId }: Principal): Promise<KeyListView> {
    return { keys: (await this.queries.execute(new ListAccessKeys(tenantId))).map(keyView) };
  }

  @Needs('key:manage')
  @Post()
  @ApiOperation({ summary: 'Make a key; the answer is the only place that shows it' })
  @ApiCreatedResponse({ type: GivenKeyView })
  @Problems('limit_exceeded', 'version_conflict', 'append_unknown', 'store_unavailable')
  async add(@Sender() sender: Principal, @Body() body: AddAccessKeyBody): Promise<GivenKeyView> {
    return givenView(await this.commands.execute(new AddAccessKey(sender, body)));
  }

  @Needs('key:manage')
  @Post(':keyId/rotate')
  @ApiOperation({ summary: 'Make the key that takes over from this one' })
  @ApiCreatedResponse({ type: GivenKeyView })
  @Problems(
    'invalid_state',
    'limit_exceeded',
    'version_conflict',
    'append_unknown',
    'store_unavailable',
  )
  async rotate(
    @Sender() sender: Principal,
    @Param('keyId') keyId: string,
    @Body() body: RotateAccessKeyBody,
  ): Promise<GivenKeyView> {
    const command = new RotateAccessKey(sender, checkedId(keyId), body);
    return givenView(await this.commands.execute(command));
  }

  @Needs('key:manage')
  @Delete(':keyId')
  @HttpCode(204)
  @ApiOperation({ summary: 'Let a key open nothing any more; everywhere within ten seconds' })
  @ApiNoContentResponse()
  @Problems('version_conflict', 'append_unknown', 'store_unavailable')
  async revoke(@Sender() sender: Principal, @Param('keyId') keyId: string): Promise<void> {
    await this.commands.execute(new RevokeAccessKey(sender, checkedId(keyId)));
  }
}

function givenView({ key, text }: GivenAccessKey): GivenKeyView {
  return { ...keyView(key), key: text };
}

function keyView({ secretHash: _secretHash, ...key }: AccessKey): KeyView {
  return key;
}
