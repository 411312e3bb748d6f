import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Figures } from '../../projections/cost-tree/figures.js';

const NUMBERS_BY_NAME = { type: Object, additionalProperties: { type: 'string' } };

export class RecordedAmountView {
  @ApiProperty()
  currency: string;

  @ApiProperty({ description: 'In 10^-12 of the unit, exact.' })
  amountPico: string;

  @ApiProperty({ description: 'In units: exact, without an exponent.' })
  amount: string;
}

export class CurrencyAmountView extends RecordedAmountView {
  @ApiProperty({ ...NUMBERS_BY_NAME, description: 'By where the price comes from.' })
  bySource: Figures['amounts'][number]['bySource'];
}

class AsRecordedView {
  @ApiProperty({ type: [RecordedAmountView] })
  amounts: readonly RecordedAmountView[];

  @ApiProperty({ type: 'integer' })
  unpricedCalls: number;
}

class ImportedPartView {
  @ApiProperty({ type: 'integer' })
  calls: number;

  @ApiProperty({ type: [RecordedAmountView] })
  amounts: readonly RecordedAmountView[];
}

export class FiguresView implements Figures {
  @ApiProperty({ type: [CurrencyAmountView], description: 'One entry per currency.' })
  amounts: readonly CurrencyAmountView[];

  @ApiProperty({ type: 'integer' })
  calls: number;

  @ApiProperty({ type: 'integer' })
  unpricedCalls: number;

  @ApiProperty()
  unpricedTokens: string;

  @ApiProperty({ type: 'integer' })
  partialCalls: number;

  @ApiProperty({ type: 'integer' })
  estimatedCalls: number;

  @ApiProperty({ type: 'integer' })
  unknownUsageCalls: number;

  @ApiProperty({ description: 'False when any call is unpriced, partial, estimated or unknown.' })
  complete: boolean;

  @ApiProperty({ ...NUMBERS_BY_NAME, description: 'Tokens by bucket.' })
  usage: Figures['usage'];

  @ApiProperty({ ...NUMBERS_BY_NAME, description: 'What is billed by the piece.' })
  counts: Figures['counts'];

  @ApiProperty({ type: 'integer' })
  repricedCalls: number;

  @ApiPropertyOptional({ type: AsRecordedView, description: 'Without the re-pricings.' })
  asRecorded?: AsRecordedView;

  @ApiPropertyOptional({
    type: ImportedPartView,
    description: 'The part of it that was imported, so not spent here.',
  })
  imported?: ImportedPartView;
}
