import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import type { VersionDifference } from '../../audit/compare-versions.js';

export class VersionsToCompareQuery {
  @ApiPropertyOptional({ description: 'The older version.', minimum: 0, default: 0 })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  from: number = 0;

  @ApiPropertyOptional({ description: 'The newer version. Default: the newest.', minimum: 0 })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  to?: number;
}

export class VersionDifferenceView implements VersionDifference {
  @ApiProperty()
  sessionId: string;

  @ApiProperty()
  from: number;

  @ApiProperty()
  to: number;

  @ApiProperty({ type: Object, description: '{count, byType, byActor} of the events between.' })
  events: VersionDifference['events'];

  @ApiProperty({ type: [Object], description: '{field, before, after} of what is not the same.' })
  state: VersionDifference['state'];

  @ApiProperty({ type: [Object], description: '{callId, tool, before, after, attempts}.' })
  calls: VersionDifference['calls'];

  @ApiProperty({ type: [Object], description: '{factId, before, after}, word for word.' })
  facts: VersionDifference['facts'];

  @ApiProperty({
    type: Object,
    description:
      'Of the neutral model input: `same` messages at the beginning, then what was `removed` and ' +
      '`added` (200 of each at most; their counts are whole), and the estimated tokens.',
  })
  context: VersionDifference['context'];

  @ApiProperty({ type: Object, description: '{before, after}, each {own, inclusive} figures.' })
  cost: VersionDifference['cost'];
}
