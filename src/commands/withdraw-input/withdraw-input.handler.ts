import {
  SessionRequest,
  type ToSessionCommands,
  handlerOf,
  identityOf,
} from '../session-command.js';

export class WithdrawInput extends SessionRequest<{ readonly inputId: string }> {}

export const withdrawInput: ToSessionCommands<{ readonly inputId: string }> = (body, context) => [
  {
    type: 'WithdrawInput',
    ...identityOf(context, `withdraw:${body.inputId}`, body),
    inputId: body.inputId,
  },
];

export const WithdrawInputHandler = handlerOf(WithdrawInput, withdrawInput);
