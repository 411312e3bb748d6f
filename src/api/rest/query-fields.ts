import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import {
  IsBooleanString,
  IsIn,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  ValidateBy,
} from 'class-validator';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { SESSION_STATUSES } from '../../domain/state.js';

export const PAGE_MAX = 200;
export const LABEL_FILTER = /^[^=]{1,64}=.{0,256}$/;
export const PAGE_DEFAULT = 50;
/** A text of the query that is a whole number; one rule, so that it is refused for what is wrong. */
export function WholeNumber(min: number, max: number = Number.MAX_SAFE_INTEGER): PropertyDecorator {
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min} on` : `from ${min} to ${max}`;
  const isWhole = (value: unknown) =>
    Number.isSafeInteger(value) && min <= Number(value) && Number(value) <= max;
  return applyDecorators(
    IsOptional(),
    Transform(({ value }: { readonly value: unknown }) =>
      typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value,
    ),
    ValidateBy({
      name: 'isWholeNumber',
      validator: {
        validate: isWhole,
        defaultMessage: (given) => `${given?.property} must be a whole number ${range}`,
      },
    }),
  );
}

/** How many entries an answer has. */
export function PageSize(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ description, minimum: 1, maximum: PAGE_MAX, default: PAGE_DEFAULT }),
    WholeNumber(1, PAGE_MAX),
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
  @ApiPropertyOptional({ enum: SESSION_STATUSES })
  @IsOptional()
  @IsIn(SESSION_STATUSES, { message: `status must be one of ${SESSION_STATUSES.join(', ')}` })
  status?: string;

  @ApiPropertyOptional({ description: 'Children of this session.' })
  @IsOptional()
  @IsString()
  @MaxLength(128)
  parentId?: string;

  @ApiPropertyOptional({ description: 'A label, as name=value.', example: 'team=red' })
  @IsOptional()
  @Matches(LABEL_FILTER, { message: 'label must be name=value' })
  label?: string;

  @ApiPropertyOptional({ description: "The profile's name." })
  @IsOptional()
  @IsString()
  @MaxLength(128)
  profile?: string;

  @ApiPropertyOptional({
    description: 'Only imported sessions, or only others.',
    enum: ['true', 'false'],
  })
  @IsOptional()
  @IsBooleanString()
  imported?: string;
}

/** Names, separated by commas. */
export function Names(
  description: string,
  unknownIn: (names: readonly string[]) => string | undefined = () => undefined,
): PropertyDecorator {
  const faultOf = (value: unknown) => unknownIn(String(value).split(','));
  return applyDecorators(
    ApiPropertyOptional({ description }),
    IsOptional(),
    ValidateBy({
      name: 'areKnown',
      validator: {
        validate: (value) => faultOf(value) === undefined,
        defaultMessage: (given) => faultOf(given?.value) ?? '',
      },
    }),
    Matches(/^[^,]{1,128}(,[^,]{1,128}){0,49}$/, {
      message: '$property must be 1 to 50 names, separated by commas',
    }),
  );
}

/** What leaves the store is masked once more: rules improve over time. */
export class RedactQuery {
  @ApiPropertyOptional({
    description: 'true: apply the rules of now to what was stored earlier.',
  })
  @IsOptional()
  @IsBooleanString()
  redact?: string;
}

export class TenantEventsQuery extends RedactQuery {
  @ApiPropertyOptional({ description: 'Position: only what comes behind it.', default: '0' })
  @IsOptional()
  @Matches(/^(0|[1-9]\d{0,18})$/, { message: 'after must be a position of the log' })
  after: string = '0';

  @PageSize('Events per page.')
  first: number = PAGE_DEFAULT;

  @Names('Only events of these types, as ToolResultRecorded,ToolOutcomeUnknown.')
  types?: string;

  @Names('Only events of these sessions.')
  sessions?: string;

  @ApiPropertyOptional({ description: 'Only what this one has caused.' })
  @IsOptional()
  @IsString()
  @MaxLength(128)
  actor?: string;
}

export class EventsQuery extends RedactQuery {
  @ApiPropertyOptional({ description: 'First revision.', minimum: 0, default: 0 })
  @WholeNumber(0)
  from: number = 0;

  @ApiPropertyOptional({
    description: 'Events per page.',
    minimum: 1,
    maximum: PAGE_MAX,
    default: PAGE_DEFAULT,
  })
  @WholeNumber(1, PAGE_MAX)
  first: number = PAGE_DEFAULT;
}

export class FirstQuery {
  @ApiPropertyOptional({
    description: 'So many at most.',
    minimum: 1,
    maximum: PAGE_MAX,
    default: PAGE_DEFAULT,
  })
  @WholeNumber(1, PAGE_MAX)
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
  @WholeNumber(1, PAGE_MAX)
  first: number = PAGE_DEFAULT;

  @ApiPropertyOptional({ description: 'From the page before.' })
  @IsOptional()
  @IsString()
  @MaxLength(256)
  after?: string;
}

export class AtQuery {
  @ApiPropertyOptional({ description: 'As it was at this revision. Default: now.', minimum: 0 })
  @WholeNumber(0)
  at?: number;
}
