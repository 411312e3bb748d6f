import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import {
  IsBooleanString,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { ApiPropertyOptional } from '@nestjs/swagger';

export const PAGE_MAX = 200;
export const PAGE_DEFAULT = 50;

/** How many entries an answer has. */
export function PageSize(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ description, minimum: 1, maximum: PAGE_MAX, default: PAGE_DEFAULT }),
    IsOptional(),
    Type(() => Number),
    IsInt(),
    Min(1),
    Max(PAGE_MAX),
  );
}

/** A read that can ask to contain a write: the position that the write answered. */
export class FreshnessQuery {
  @ApiPropertyOptional({
    description: 'Position of a write that the answer must contain.',
    example: '42',
  })
  @IsOptional()
  @Matches(/^\d{1,20}$/, { message: 'atLeast must be the position that a write answered' })
  atLeast?: string;
}

export class PageQuery extends FreshnessQuery {
  @PageSize('Entries per page.')
  first: number = PAGE_DEFAULT;

  @ApiPropertyOptional({ description: 'From the page before.' })
  @IsOptional()
  @IsString()
  @MaxLength(1_024)
  after?: string;
}

export class MessagesQuery extends PageQuery {
  @ApiPropertyOptional({ enum: ['oldestFirst', 'newestFirst'], default: 'oldestFirst' })
  @IsOptional()
  @IsIn(['oldestFirst', 'newestFirst'])
  order: string = 'oldestFirst';
}

export class SessionListQuery extends PageQuery {
  @ApiPropertyOptional({ enum: ['idle', 'owned', 'scheduled', 'waiting', 'stopped'] })
  @IsOptional()
  @Matches(/^(idle|owned|scheduled|waiting|stopped)$/, {
    message: 'status must be idle, owned, scheduled, waiting or stopped',
  })
  status?: string;

  @ApiPropertyOptional({ description: 'Children of this session.' })
  @IsOptional()
  @IsString()
  @MaxLength(128)
  parentId?: string;

  @ApiPropertyOptional({ description: 'A label, as name=value.' })
  @IsOptional()
  @Matches(/^[^=]{1,64}=.{0,256}$/, { message: 'label must be name=value' })
  label?: string;

  @ApiPropertyOptional({ description: "The profile's name." })
  @IsOptional()
  @IsString()
  @MaxLength(128)
  profile?: string;

  @ApiPropertyOptional({ description: 'Only imported sessions, or only others.' })
  @IsOptional()
  @IsBooleanString()
  imported?: string;
}

export class EventsQuery {
  @ApiPropertyOptional({ description: 'First revision.', minimum: 0, default: 0 })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  from: number = 0;

  @ApiPropertyOptional({
    description: 'Events per page.',
    minimum: 1,
    maximum: PAGE_MAX,
    default: PAGE_DEFAULT,
  })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(PAGE_MAX)
  first: number = PAGE_DEFAULT;
}

export class FirstQuery {
  @ApiPropertyOptional({
    description: 'So many at most.',
    minimum: 1,
    maximum: PAGE_MAX,
    default: PAGE_DEFAULT,
  })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(PAGE_MAX)
  first: number = PAGE_DEFAULT;
}

export class PriceCardsQuery {
  @ApiPropertyOptional({ description: 'By any of its names: google, gcp.gen_ai, …' })
  @IsOptional()
  @IsString()
  @MaxLength(128)
  provider?: string;

  @ApiPropertyOptional({ description: 'A model id, an alias or a dated snapshot.' })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  model?: string;

  @ApiPropertyOptional({
    description: 'Cards per page.',
    minimum: 1,
    maximum: PAGE_MAX,
    default: PAGE_DEFAULT,
  })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(PAGE_MAX)
  first: number = PAGE_DEFAULT;

  @ApiPropertyOptional({ description: 'From the page before.' })
  @IsOptional()
  @IsString()
  @MaxLength(256)
  after?: string;
}

export class AtQuery {
  @ApiPropertyOptional({ description: 'As it was at this revision. Default: now.', minimum: 0 })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  at?: number;
}
