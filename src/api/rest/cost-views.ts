import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { CallCost } from '../../projections/cost-tree/cost-calls.query.js';
import { FiguresView } from './figures-view.js';
import { AsOfView } from './list-views.js';

const EDGES = ['subagent', 'continuation', 'fork'];

class ModelFiguresView extends FiguresView {
  @ApiProperty({ type: String, nullable: true })
  provider: string | null;

  @ApiProperty({ type: String, nullable: true })
  model: string | null;
}

class PurposeFiguresView extends FiguresView {
  @ApiProperty()
  purpose: string;
}

class EdgeFiguresView {
  @ApiProperty({ type: FiguresView })
  subagent: FiguresView;

  @ApiProperty({ type: FiguresView })
  continuation: FiguresView;

  @ApiProperty({ type: FiguresView })
  fork: FiguresView;
}

export class ChildCostView {
  @ApiProperty()
  sessionId: string;

  @ApiProperty({ enum: EDGES })
  edge: string;

  @ApiProperty({ type: FiguresView })
  own: FiguresView;

  @ApiProperty({ type: FiguresView })
  inclusive: FiguresView;
}

export class ChildCostListView {
  @ApiProperty({ type: [ChildCostView], description: 'The earliest first.' })
  children: readonly ChildCostView[];

  @ApiPropertyOptional({ description: 'Give it as `after` for the next page.' })
  cursor?: string;

  @ApiProperty({ type: AsOfView })
  asOf: AsOfView;
}

class CostAsOfView extends AsOfView {
  @ApiPropertyOptional({ format: 'date-time', description: 'The moment that was asked for.' })
  time?: string;
}

export class SessionCostView {
  @ApiProperty()
  sessionId: string;

  @ApiProperty({ description: 'False: only children of this session have been seen.' })
  known: boolean;

  @ApiPropertyOptional()
  parentId?: string;

  @ApiPropertyOptional({ enum: EDGES })
  edge?: string;

  @ApiProperty({ type: FiguresView, description: "The session's own calls." })
  own: FiguresView;

  @ApiProperty({ type: FiguresView, description: 'All sessions below it.' })
  descendants: FiguresView;

  @ApiProperty({ type: FiguresView, description: 'Both.' })
  inclusive: FiguresView;

  @ApiProperty({ type: [ModelFiguresView], description: 'Most calls first.' })
  byModel: readonly ModelFiguresView[];

  @ApiProperty({ type: [PurposeFiguresView] })
  byPurpose: readonly PurposeFiguresView[];

  @ApiProperty({ type: EdgeFiguresView, description: 'The descendants, each in one part.' })
  byEdge: EdgeFiguresView;

  @ApiPropertyOptional({
    type: [Object],
    description: 'The split that was asked for: its head, own, descendants and inclusive.',
  })
  groups?: readonly object[];

  @ApiProperty({ type: [ChildCostView], description: 'The first 50 direct children.' })
  children: readonly ChildCostView[];

  @ApiPropertyOptional({ description: 'For the further ones: `after` of …/cost/children.' })
  cursor?: string;

  @ApiPropertyOptional({ description: 'There are more, which can be listed only as of now.' })
  childrenCut?: boolean;

  @ApiProperty({ type: CostAsOfView })
  asOf: CostAsOfView;
}

class ReportedByView {
  @ApiProperty()
  sessionId: string;

  @ApiProperty({ type: 'integer' })
  revision: number;
}

export class CallCostView implements Omit<CallCost, 'figures'> {
  @ApiProperty()
  position: string;

  @ApiProperty({ format: 'date-time' })
  recordedAt: string;

  @ApiProperty({ type: ReportedByView, description: 'The event that says it.' })
  reportedBy: ReportedByView;

  @ApiProperty()
  callKey: string;

  @ApiProperty({ enum: ['added', 'takenBack'] })
  change: CallCost['change'];

  @ApiProperty()
  purpose: string;

  @ApiProperty({ type: String, nullable: true })
  provider: string | null;

  @ApiProperty({ type: String, nullable: true })
  model: string | null;

  @ApiProperty({ type: Object, additionalProperties: { type: 'string' } })
  labels: Readonly<Record<string, string>>;

  @ApiProperty()
  modelCallId: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'When the call began.' })
  startedAt?: string;

  @ApiPropertyOptional()
  runId?: string;

  @ApiPropertyOptional({ type: 'integer', description: "1 for the run's first claim." })
  attempt?: number;

  @ApiPropertyOptional({ type: String, description: 'Why the run was claimed.' })
  reason?: CallCost['reason'];

  @ApiPropertyOptional({ description: 'Author of the input that caused the run.' })
  user?: string;

  @ApiProperty({ type: FiguresView })
  figures: FiguresView;
}

export class CallCostListView {
  @ApiProperty({ type: [CallCostView], description: 'In the order in which it was written.' })
  entries: readonly CallCostView[];

  @ApiPropertyOptional({ description: 'Give it as `after` for the next page.' })
  cursor?: string;

  @ApiProperty({ type: AsOfView })
  asOf: AsOfView;
}

class SeriesRowView extends FiguresView {
  @ApiPropertyOptional({ type: String, nullable: true, description: 'Of the zone.' })
  day?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, description: 'When it begins.' })
  dayStart?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true })
  provider?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true })
  model?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true })
  user?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true })
  session?: string | null;

  @ApiPropertyOptional({ description: 'Name of the label.' })
  label?: string;

  @ApiPropertyOptional({ type: String, nullable: true, description: 'Value of the label.' })
  value?: string | null;
}

export class CostSeriesView {
  @ApiProperty()
  zone: string;

  @ApiProperty({ description: 'Version of the time zone data.' })
  zoneData: string;

  @ApiPropertyOptional({ format: 'date-time' })
  from?: string;

  @ApiPropertyOptional({ format: 'date-time' })
  to?: string;

  @ApiProperty({ type: [SeriesRowView], description: 'By day, then by group.' })
  rows: readonly SeriesRowView[];

  @ApiProperty({ type: FiguresView, description: 'Exactly the sum of the rows.' })
  total: FiguresView;

  @ApiProperty({ type: AsOfView })
  asOf: AsOfView;
}
