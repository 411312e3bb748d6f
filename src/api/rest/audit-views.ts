import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  IsBooleanString,
  IsDateString,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
} from 'class-validator';
import type { VersionDifference } from '../../audit/compare-versions.js';
import { unknownCommands, unknownTypes } from '../../audit/known-names.js';
import type { AuditEntry } from '../../audit/read-audit.js';
import type { AuditFilterText } from '../../domain/audit/trail-events.js';
import { LABEL_FILTER, Names, PAGE_DEFAULT, PageSize, WholeNumber } from './query-fields.js';

/** Which events are meant; all that are given must let one through. */
export class AuditFilterQuery {
  @ApiPropertyOptional({ description: 'Only what this one has done: key:…, user:…, local.' })
  @IsOptional()
  @IsString()
  @MaxLength(256)
  actor?: string;

  @Names('Only what these commands have done, as StartSession,DecideEscalation.', unknownCommands)
  commands?: string;

  @Names('Only events of these types, as ToolEscalationDecided,AccessKeyAdded.', unknownTypes)
  types?: string;

  @Names('Only events of these sessions.')
  sessions?: string;

  @ApiPropertyOptional({ description: 'Only of sessions that have this label now: name=value.' })
  @IsOptional()
  @Matches(LABEL_FILTER, { message: 'label must be name=value' })
  label?: string;

  @ApiPropertyOptional({
    description: 'Only what was recorded then or later.',
    format: 'date-time',
  })
  @IsOptional()
  @IsDateString()
  since?: string;

  @ApiPropertyOptional({ description: 'Only what was recorded before.', format: 'date-time' })
  @IsOptional()
  @IsDateString()
  until?: string;

  @ApiPropertyOptional({
    description:
      'true: only denials and exports, keys and settings, decisions, stops and resumes by people, ' +
      'and claims by force.',
  })
  @IsOptional()
  @IsBooleanString()
  trail?: string;

  @ApiPropertyOptional({ description: 'true: only events in which secrets were masked or noted.' })
  @IsOptional()
  @IsBooleanString()
  redacted?: string;
}

export class AuditQuery extends AuditFilterQuery {
  @ApiPropertyOptional({ description: 'Position: only what comes behind it.', default: '0' })
  @IsOptional()
  @Matches(/^(0|[1-9]\d{0,18})$/, { message: 'after must be a position of the log' })
  after: string = '0';

  @PageSize('Entries per page.')
  first: number = PAGE_DEFAULT;
}

export class AuditEntryView implements AuditEntry {
  @ApiProperty()
  position: string;

  @ApiProperty({ format: 'date-time' })
  at: string;

  @ApiProperty()
  actor: string;

  @ApiProperty({ description: 'What was asked for.' })
  command: string;

  @ApiProperty()
  commandId: string;

  @ApiProperty({ description: 'What came of it: the type of the event.' })
  type: string;

  @ApiProperty({
    required: false,
    description: "Absent for the tenant's own: keys, tools, denials.",
  })
  sessionId?: string;

  @ApiProperty()
  revision: number;

  @ApiProperty({ type: Object, description: 'Ids, names and outcomes; never content.' })
  details: AuditEntry['details'];

  @ApiProperty({ required: false, type: [Object], description: '{path, rule, flagged?}' })
  redactions?: AuditEntry['redactions'];
}

export class AuditEntriesView {
  @ApiProperty({
    type: [AuditEntryView],
    description: 'Can be fewer than `first`, or none, before the end: a filter looks far.',
  })
  entries: readonly AuditEntryView[];

  @ApiProperty({ description: 'Give it as `after` for the next page.' })
  next: string;

  @ApiProperty({ description: 'Nothing was left at that moment.' })
  caughtUp: boolean;
}

export function auditFilterOf(query: AuditFilterQuery): AuditFilterText {
  const { actor, commands, types, sessions, label, since, until, trail, redacted } = query;
  return {
    actor,
    commands: commands?.split(','),
    types: types?.split(','),
    sessions: sessions?.split(','),
    label,
    since,
    until,
    trail: trail === undefined ? undefined : trail === 'true',
    redacted: redacted === undefined ? undefined : redacted === 'true',
  };
}

export class VersionsToCompareQuery {
  @ApiPropertyOptional({ description: 'The older version.', minimum: 0, default: 0 })
  @WholeNumber(0)
  from: number = 0;

  @ApiPropertyOptional({ description: 'The newer version. Default: the newest.', minimum: 0 })
  @WholeNumber(0)
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
