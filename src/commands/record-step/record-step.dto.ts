import { CheckedField } from '../dto/fields.js';
import { OwnedBody } from '../dto/owned-body.js';

const STEPS_MAX = 50;

export class RecordStepBody extends OwnedBody {
  @CheckedField({
    description:
      'What happened, in order; all of it is appended or nothing. Each step is {type, …} with the ' +
      'fields of its own route, without epoch and claimToken. A call of a message in the same ' +
      'request is named by call: {messageId, ordinal}.',
    schema: { type: 'array', items: { type: 'object' }, minItems: 1, maxItems: STEPS_MAX },
    name: 'isSteps',
    faultOf: stepsFault,
  })
  steps: Record<string, unknown>[];
}

function stepsFault(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return 'must be a list of steps';
  if (value.length > STEPS_MAX) return `must have at most ${STEPS_MAX} steps`;
  const index = value.findIndex((step) => typeof step !== 'object' || step === null);
  return index < 0 ? undefined : `step ${index} must be an object`;
}
