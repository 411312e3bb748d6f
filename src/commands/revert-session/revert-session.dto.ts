import { CutBody } from '../dto/cut-body.js';
import { ChoiceField } from '../dto/fields.js';

/** A place has to be given; with `messageId` the message is hidden too unless `side` says otherwise. */
export class RevertSessionBody extends CutBody {
  @ChoiceField({
    description:
      'Accepted inputs behind the place that no model has read. refuse: do nothing and name them. ' +
      'keep: those that still wait go on waiting. drop: those that wait are withdrawn, delivered ' +
      'ones are hidden.',
    choices: ['refuse', 'keep', 'drop'],
    optional: true,
  })
  unseenInputs: 'refuse' | 'keep' | 'drop' = 'refuse';
}
