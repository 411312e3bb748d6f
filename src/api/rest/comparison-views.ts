import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import type { Comparison } from '../../history/compare-sessions.js';
import { PAGE_DEFAULT, PageSize, WholeNumber } from './query-fields.js';

function BranchOffset(description: string): PropertyDecorator {
  return applyDecorators(ApiPropertyOptional({ description, default: 0 }), WholeNumber(0));
}

export class CompareQuery {
  @ApiProperty({ description: 'The other session.' })
  @IsString()
  @MaxLength(128)
  with: string;

  @PageSize('Items of each branch.')
  first: number = PAGE_DEFAULT;

  @BranchOffset("`next` of this session's branch.")
  from: number = 0;

  @BranchOffset("`next` of the other session's branch.")
  otherFrom: number = 0;
}

export class ComparisonView {
  @ApiProperty({ description: 'False: they have no event in common.' })
  related: boolean;

  @ApiProperty({
    type: Object,
    description: '{events, upTo, segments}: the history that both have, to its last event.',
  })
  common: object;

  @ApiProperty({
    type: Object,
    description:
      'What this session has after it: {sessionId, revision, items, next, counts, cost, complete}. ' +
      'Costs are those that were recorded when the model calls were settled.',
  })
  one: object;

  @ApiProperty({ type: Object, description: 'What the other session has after it.' })
  other: object;

  @ApiProperty({
    type: [Object],
    description: '{factId, one, other}: facts whose words are not the same in both.',
  })
  facts: readonly object[];

  @ApiProperty({ description: 'One sentence for people.' })
  note: string;
}

export function comparisonView(comparison: Comparison): ComparisonView {
  return { ...comparison, note: noteOf(comparison) };
}

function noteOf({ related, common, one, other }: Comparison): string {
  if (!related || common.upTo === undefined) {
    return (
      'These sessions have no event in common: neither is a fork of the other, nor are they ' +
      'forks of one session.'
    );
  }
  const place = `${common.upTo.sessionId} at revision ${common.upTo.revision}`;
  const counted = `${one.counts.events} and ${other.counts.events} events`;
  return `They have ${common.events} events in common, up to ${place}; then ${counted} of their own.`;
}
