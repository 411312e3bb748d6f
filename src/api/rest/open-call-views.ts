import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import type { OpenCallDocument } from '../../projections/sessions/open-call-document.js';
import { FirstQuery } from './query-fields.js';

export class OpenCallsQuery extends FirstQuery {
  @ApiPropertyOptional({
    enum: ['outcome', 'approval'],
    description: 'Only what people are asked.',
  })
  @IsOptional()
  @IsIn(['outcome', 'approval'])
  question?: 'outcome' | 'approval';

  @ApiPropertyOptional({ description: 'Only what this user or role has to decide.' })
  @IsOptional()
  @IsString()
  @MaxLength(128)
  asked?: string;

  @ApiPropertyOptional({ description: 'Only calls in this state, such as unknown.' })
  @IsOptional()
  @IsString()
  @MaxLength(32)
  state?: string;
}

export class OpenCallEntryView {
  @ApiProperty()
  sessionId: string;

  @ApiProperty()
  callId: string;

  @ApiProperty()
  tool: string;

  @ApiProperty({ enum: ['readOnly', 'keyedWrite', 'queryableWrite', 'opaqueWrite'] })
  effect: string;

  @ApiProperty()
  state: string;

  @ApiProperty({ format: 'date-time', description: 'Since when it is known so.' })
  since: string;

  @ApiProperty()
  opKey: string;

  @ApiProperty({ required: false })
  externalRef?: string;

  @ApiProperty({ required: false, description: 'Why its outcome is unknown.' })
  unknownReason?: string;

  @ApiProperty()
  attempts: number;

  @ApiProperty()
  probes: number;

  @ApiProperty({
    required: false,
    type: Object,
    description: 'The newest evidence: kind, sentAt, verdict.',
  })
  lastProbe?: OpenCallDocument['lastProbe'];

  @ApiProperty({ required: false, enum: ['outcome', 'approval'] })
  question?: string;

  @ApiProperty({ required: false, description: 'Who has to decide.' })
  asked?: string;

  @ApiProperty({ required: false, format: 'date-time', description: 'By when.' })
  decisionDueAt?: string;

  @ApiProperty({ required: false, description: 'Name it in the decision.' })
  escalationId?: string;

  @ApiProperty({ required: false, description: 'The session that settles it.' })
  originSessionId?: string;

  @ApiProperty({ required: false, description: 'The call that this one undoes.' })
  compensates?: string;
}

export class OpenCallsView {
  @ApiProperty({ type: [OpenCallEntryView], description: 'The oldest first.' })
  calls: readonly OpenCallEntryView[];
}

export function openCallView({
  tenantId: _tenantId,
  ...call
}: OpenCallDocument): OpenCallEntryView {
  return call;
}
