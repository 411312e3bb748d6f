import type { Delivery } from '../../domain/events/input-events.js';
import { ChoiceField } from '../dto/fields.js';

export class ChangeDeliveryBody {
  @ChoiceField({
    description: 'steer: at the next model call. queue: a run of its own, when this one is over.',
    choices: ['steer', 'queue'],
  })
  delivery: Delivery;
}
