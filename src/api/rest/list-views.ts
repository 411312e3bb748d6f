import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { QUARANTINE_BUDGETS } from '../../domain/events/session-events.js';
import type { AsOf } from '../../projections/read-models.js';
import type { SessionSummary } from '../../projections/sessions/sessions.query.js';
import { SESSION_STATUSES } from '../../domain/state.js';

/** How current a list is. */
export class AsOfView implements AsOf {
  @ApiProperty({ description: 'Everything up to this position of the log is in it.' })
  position: string;

  @ApiProperty({ description: 'The position that was asked for has not been reached in time.' })
  stale: boolean;
}

export class SessionSummaryView implements SessionSummary {
  @ApiProperty()
  tenantId: string;

  @ApiProperty()
  sessionId: string;

  @ApiPropertyOptional({ description: 'As it was named, else how its first input begins.' })
  title?: string;

  @ApiProperty({ enum: SESSION_STATUSES })
  status: SessionSummary['status'];

  @ApiPropertyOptional()
  parentId?: string;

  @ApiPropertyOptional({ enum: ['subagent', 'continuation', 'fork'] })
  edge?: SessionSummary['edge'];

  @ApiProperty({ type: [String], description: 'The parent first.' })
  ancestors: readonly string[];

  @ApiProperty({ type: Object, additionalProperties: { type: 'string' } })
  labels: Readonly<Record<string, string>>;

  @ApiPropertyOptional({ type: Object, description: '{name, version, provider, model}' })
  profile?: SessionSummary['profile'];

  @ApiProperty({ description: 'Made from a foreign log.' })
  imported: boolean;

  @ApiPropertyOptional({ type: Object, description: 'The foreign log.' })
  origin?: SessionSummary['origin'];

  @ApiProperty({ type: Object, additionalProperties: { type: 'integer' } })
  counters: SessionSummary['counters'];

  @ApiProperty({ type: 'integer', description: 'Inputs that no model has seen.' })
  pendingInputs: number;

  @ApiProperty({ type: 'integer', description: 'Calls without a final outcome.' })
  unresolvedCalls: number;

  @ApiProperty({
    type: 'integer',
    description: 'Of these: calls that may have had an effect nobody knows.',
  })
  unknownCalls: number;

  @ApiProperty({
    type: Object,
    additionalProperties: { type: 'integer' },
    description: 'By rule: secrets that were masked in its events, or noted.',
  })
  redactions: SessionSummary['redactions'];

  @ApiPropertyOptional({
    enum: [...QUARANTINE_BUDGETS, 'invalidStream'],
    description:
      'Of a quarantined session: what its run used up; invalidStream: a stored event is damaged.',
  })
  quarantine?: SessionSummary['quarantine'];

  @ApiPropertyOptional({ type: Object, description: '{workerId, epoch}' })
  heldBy?: SessionSummary['heldBy'];

  @ApiProperty({ format: 'date-time' })
  createdAt: string;

  @ApiProperty({ format: 'date-time' })
  updatedAt: string;

  @ApiProperty({ type: 'integer' })
  revision: number;

  @ApiProperty()
  position: string;
}

export class SessionListView {
  @ApiProperty({ type: [SessionSummaryView], description: 'Latest change first.' })
  sessions: readonly SessionSummaryView[];

  @ApiPropertyOptional({ description: 'Give it as `after` for the next page.' })
  cursor?: string;

  @ApiProperty({ type: AsOfView })
  asOf: AsOfView;
}

/** An item of a conversation; which fields it has besides the first ones depends on its kind. */
export class ConversationItemView {
  @ApiProperty({
    enum: ['user', 'assistant', 'toolCall', 'compaction', 'facts', 'revert', 'revertCleared'],
  })
  kind: string;

  @ApiProperty({ description: "An ancestor's in the inherited part of a fork." })
  sessionId: string;

  @ApiProperty({ type: 'integer', description: 'Where it stands in the log of that session.' })
  revision: number;

  @ApiProperty({ type: 'integer', description: 'Of the content.' })
  bytes: number;

  @ApiProperty({ description: 'How the content begins.' })
  preview: string;

  @ApiProperty({ description: 'A revert took it out.' })
  hidden: boolean;

  @ApiPropertyOptional({ type: Object, description: 'What was said, as it stands in the events.' })
  content?: object;

  @ApiPropertyOptional()
  messageId?: string;

  @ApiPropertyOptional()
  inputId?: string;

  @ApiPropertyOptional()
  modelCallId?: string;

  @ApiPropertyOptional()
  model?: string;

  @ApiPropertyOptional({ description: 'No more parts of this message will come.' })
  final?: boolean;

  @ApiPropertyOptional()
  callId?: string;

  @ApiPropertyOptional()
  tool?: string;

  @ApiPropertyOptional({ description: 'State of the call.' })
  status?: string;

  @ApiPropertyOptional()
  compactionId?: string;

  @ApiPropertyOptional({ type: [String] })
  factIds?: readonly string[];

  @ApiPropertyOptional({ type: 'integer', description: 'The event with the content of an input.' })
  contentRevision?: number;

  @ApiPropertyOptional({ type: [Number], description: 'Events with the parts of a message.' })
  parts?: readonly number[];

  @ApiPropertyOptional({ type: 'integer', description: 'Since when the status holds.' })
  statusRevision?: number;

  @ApiPropertyOptional({ type: 'integer' })
  startedRevision?: number;

  @ApiPropertyOptional({ type: 'integer' })
  resultRevision?: number;

  @ApiPropertyOptional({ type: 'integer' })
  resultBytes?: number;

  @ApiPropertyOptional({ type: Object, description: 'What a compaction keeps, from here on.' })
  keptFrom?: object;

  @ApiPropertyOptional({ enum: ['auto', 'manual', 'imported'] })
  trigger?: string;

  @ApiPropertyOptional({ type: Object, description: 'What a revert shows again, up to here.' })
  to?: object;

  @ApiPropertyOptional({ type: 'integer', description: 'The revert that was cleared.' })
  revertedAt?: number;

  @ApiProperty({ type: [Object], description: 'Contradictions that came after the outcome.' })
  conflicts: readonly object[];
}

export class ConversationView {
  @ApiProperty({ type: [ConversationItemView] })
  items: readonly ConversationItemView[];

  @ApiPropertyOptional({ description: 'Give it as `after` for the next page.' })
  cursor?: string;

  @ApiProperty({ type: AsOfView })
  asOf: AsOfView;
}
