import type { Delivery } from '../../domain/events/input-events.js';
import {
  SessionRequest,
  type ToSessionCommands,
  handlerOf,
  identityOf,
} from '../session-command.js';

interface ChangedDelivery {
  readonly inputId: string;
  readonly delivery: Delivery;
}

export class ChangeDelivery extends SessionRequest<ChangedDelivery> {}

const changeDelivery: ToSessionCommands<ChangedDelivery> = (body, context) => [
  {
    type: 'ChangeDelivery',
    // Changed there and back and there again, it is another command each time.
    ...identityOf(context, `${body.delivery}:${body.inputId}:${context.state.revision}`, body),
    ...body,
  },
];

export const ChangeDeliveryHandler = handlerOf(ChangeDelivery, changeDelivery);
