import type { Json, MediaBlock, TextBlock } from '../../domain/content.js';
import type { ResultScope, ResultStatus } from '../../domain/events/tool-events.js';
import { contentFault } from '../dto/content.js';
import {
  CheckedField,
  ChoiceField,
  FlagField,
  JsonField,
  NumberField,
  TextField,
} from '../dto/fields.js';

/** What a tool answered: the same fields on the owner's path and on the late one. */
export class ToolResultBody {
  @NumberField({ description: 'The attempt that answered.', min: 1, max: 100, optional: true })
  attempt: number = 1;

  @ChoiceField({
    description:
      'completed: the tool ran and answered (also with an error). noEffect: it or its target ' +
      'refused before doing anything. A timeout is neither: report it as unknown.',
    choices: ['completed', 'noEffect'],
    optional: true,
  })
  status: ResultStatus = 'completed';

  @ChoiceField({
    description: 'Of noEffect: does it speak of this attempt, or of the whole operation?',
    choices: ['attempt', 'operation'],
    optional: true,
  })
  scope?: ResultScope;

  @FlagField({ description: 'The answer is an error.', optional: true })
  isError: boolean = false;

  @CheckedField({
    description: 'Text, or a list of text, image and document blocks.',
    schema: {
      oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'object' }, maxItems: 256 }],
    },
    name: 'isToolContent',
    faultOf: contentFault,
  })
  content: string | (TextBlock | MediaBlock)[];

  @FlagField({
    description: 'Of a call that undoes another: it found nothing to undo.',
    optional: true,
  })
  nothingToUndo?: boolean;

  @JsonField({ description: 'Structured data kept beside the answer.', optional: true })
  details?: Json;

  @TextField({
    description: "The target's id of the operation.",
    charactersMax: 256,
    optional: true,
  })
  externalRef?: string;
}

export class LateToolResultBody extends ToolResultBody {
  @NumberField({
    description: 'The epoch in which the attempt was started.',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
  })
  claimedEpoch: number;
}
