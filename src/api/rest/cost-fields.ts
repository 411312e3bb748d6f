import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { GROUP_BY_PATTERN } from '../../projections/cost-series/series-wish.js';
import { SPLITS, type Split } from '../../projections/cost-tree/cost-groups.js';
import { FreshnessQuery, PageQuery } from './query-fields.js';

const EDGES = '(subagent|continuation|fork)';
const edgesPattern = new RegExp(`^${EDGES}(,${EDGES}){0,2}$`);

export const CSV_TYPE = 'text/csv; charset=utf-8';

/** Which calls, by the time at which they began. */
export class RangeQuery extends FreshnessQuery {
  @ApiPropertyOptional({
    description: 'First day of the zone, or an instant. Included.',
    example: '2026-01-01',
  })
  @IsOptional()
  @IsString()
  @MaxLength(40)
  from?: string;

  @ApiPropertyOptional({
    description: 'End: a day of the zone, or an instant. Not included.',
    example: '2026-02-01',
  })
  @IsOptional()
  @IsString()
  @MaxLength(40)
  to?: string;

  @ApiPropertyOptional({ description: 'IANA zone of days.', default: 'UTC' })
  @IsOptional()
  @IsString()
  @MaxLength(64)
  zone?: string;

  @ApiPropertyOptional({ enum: ['json', 'csv'], default: 'json' })
  @IsOptional()
  @IsIn(['json', 'csv'])
  format: string = 'json';
}

export class SessionCostQuery extends RangeQuery {
  @ApiPropertyOptional({
    description: 'Which kinds of children count, with commas. Default: all.',
    example: 'subagent,continuation',
  })
  @IsOptional()
  @Matches(edgesPattern, { message: 'edges are subagent, continuation and fork, with commas' })
  edges?: string;

  @ApiPropertyOptional({ description: 'Splits the cost into groups.', enum: SPLITS })
  @IsOptional()
  @IsIn(SPLITS)
  by?: Split;

  @ApiPropertyOptional({ description: 'Name of the label to split by.' })
  @IsOptional()
  @IsString()
  @MaxLength(64)
  label?: string;

  @ApiPropertyOptional({
    description:
      'As it was: version:<revision of this session>, position:<position of the log>, or a time. ' +
      'Default: now.',
    example: 'version:12',
  })
  @IsOptional()
  @IsString()
  @MaxLength(64)
  asOf?: string;
}

export class ChildCostsQuery extends PageQuery {
  @ApiPropertyOptional({
    description: 'Which kinds of children count, with commas.',
    example: 'subagent,fork',
  })
  @IsOptional()
  @Matches(edgesPattern, { message: 'edges are subagent, continuation and fork, with commas' })
  edges?: string;
}

export class CostSeriesQuery extends RangeQuery {
  @ApiPropertyOptional({
    description:
      'One row per day of the zone, per model, user, session or value of a label, per day and ' +
      'one of these, or one row in total.',
    example: 'day,model',
    default: 'day',
  })
  @IsOptional()
  @Matches(GROUP_BY_PATTERN, {
    message: 'groupBy is day, model, user, label, session, day and one of these, or total',
  })
  groupBy: string = 'day';

  @ApiPropertyOptional({ description: 'Only what this user has caused.' })
  @IsOptional()
  @IsString()
  @MaxLength(256)
  user?: string;

  @ApiPropertyOptional({ description: 'Only calls that this model answered.' })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  model?: string;

  @ApiPropertyOptional({
    description: 'A label as name=value, or the name alone to group by its values.',
    example: 'project=apollo',
  })
  @IsOptional()
  @IsString()
  @MaxLength(321)
  label?: string;

  @ApiPropertyOptional({ description: "Only this session's own calls." })
  @IsOptional()
  @IsString()
  @MaxLength(128)
  session?: string;
}
