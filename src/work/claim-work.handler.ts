import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { HandledCommand } from '../commands/handle-command.js';
import type { ClaimWorkBody } from './claim-work.dto.js';
import { WorkOffers } from './work-offers.js';

/** Waits until a session has work, and claims it. Undefined: none came in time. */
export class ClaimWork extends Command<HandledCommand | undefined> {
  constructor(
    readonly sender: { readonly tenantId: string; readonly actor: string },
    readonly body: ClaimWorkBody,
    /** Aborted when the sender has hung up: nothing is claimed for it any more. */
    readonly signal: AbortSignal,
  ) {
    super();
  }
}

@CommandHandler(ClaimWork)
export class ClaimWorkHandler implements ICommandHandler<ClaimWork, HandledCommand | undefined> {
  constructor(private readonly offers: WorkOffers) {}

  async execute({ sender, body, signal }: ClaimWork): Promise<HandledCommand | undefined> {
    const wish = { ...sender, body, signal };
    return (await this.offers.claimedBefore(wish)) ?? this.offers.next(wish);
  }
}
