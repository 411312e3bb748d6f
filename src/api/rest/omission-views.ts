import { ApiProperty } from '@nestjs/swagger';
import type { Omissions } from '../../context/omission-check.js';
import { ReceiptView } from './views.js';

const KINDS = ['amount', 'path', 'identifier', 'url', 'date', 'version', 'negatedConstraint'];

/** Something that a summary lost. */
export class ListedOmissionView {
  @ApiProperty({ enum: KINDS })
  kind: string;

  @ApiProperty({ description: 'As it was said; of a long sentence the part that forbids.' })
  text: string;
}

export class OmissionView extends ListedOmissionView {
  @ApiProperty({ enum: ['user', 'assistant', 'summary'], description: 'Who said it.' })
  by: string;

  @ApiProperty({ required: false, type: Object, description: 'The first event that says it.' })
  at?: object;

  @ApiProperty({ description: 'Messages that say it.' })
  count: number;
}

export class OmissionsView {
  @ApiProperty({ type: [OmissionView], description: 'Most useful first.' })
  omissions: readonly OmissionView[];

  @ApiProperty({ description: 'Omissions that did not fit into the list.' })
  omissionsCut: number;

  @ApiProperty({ description: 'Characters that were not looked at: the range is too long.' })
  unreadCharacters: number;
}

export class CommittedCompactionView extends ReceiptView {
  @ApiProperty({
    required: false,
    type: [ListedOmissionView],
    description: 'What the summary lost, most useful first; it stays in the log for audit.',
  })
  omissions?: readonly ListedOmissionView[];

  @ApiProperty({ required: false, description: 'Omissions that did not fit into the list.' })
  omissionsCut?: number;
}

export function omissionsView({ entries, cut, unreadCharacters }: Omissions): OmissionsView {
  return { omissions: entries, omissionsCut: cut, unreadCharacters };
}
