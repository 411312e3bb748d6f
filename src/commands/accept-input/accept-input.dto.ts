import type { InputBlock } from '../../domain/content.js';
import type { Delivery } from '../../domain/events/input-events.js';
import { inputContentFault } from '../dto/content.js';
import { CheckedField, ChoiceField, FlagField, IdField } from '../dto/fields.js';

const SYSTEM_ADVICE =
  'must be "user": system instructions are not history. Send them as `instructions` with each ' +
  'context or restore request, and they are always the current ones';

export class AcceptInputBody {
  @IdField({
    description:
      'Make it yourself to be able to retry. Default: made of the Idempotency-Key, or a new UUID.',
    optional: true,
  })
  inputId?: string;

  @CheckedField({
    description: 'Text, or a list of text, image and document blocks.',
    schema: {
      oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'object' }, maxItems: 256 }],
    },
    name: 'isInputContent',
    faultOf: inputContentFault,
  })
  content: string | InputBlock[];

  @CheckedField({
    description: 'Only "user"; here so that a system message gets advice instead of a place.',
    schema: { type: 'string', enum: ['user'] },
    name: 'isUserRole',
    faultOf: (value) => (value === 'user' ? undefined : SYSTEM_ADVICE),
    optional: true,
  })
  role: string = 'user';

  @ChoiceField({
    description: 'steer: at the next model call. queue: a run of its own, when this one is over.',
    choices: ['steer', 'queue'],
    optional: true,
  })
  delivery: Delivery = 'steer';

  @FlagField({
    description: 'false: only leave it here; wake no worker and lift no stop.',
    optional: true,
  })
  resume: boolean = true;
}
