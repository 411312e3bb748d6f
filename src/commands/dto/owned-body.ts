import { createHash } from 'node:crypto';
import type { Fence } from '../../domain/commands.js';
import { NumberField, TextField } from './fields.js';

/** Proof of ownership that a worker sends with everything that moves its run. */
export class OwnedBody {
  @NumberField({ description: 'Epoch of your claim.', min: 1, max: Number.MAX_SAFE_INTEGER })
  epoch: number;

  @TextField({
    description: 'The secret that you made for your claim; only its hash is stored.',
    charactersMin: 16,
    charactersMax: 256,
  })
  claimToken: string;
}

export function fenceOf(body: OwnedBody): Fence {
  return { epoch: body.epoch, claimTokenHash: claimTokenHash(body.claimToken) };
}

export function claimTokenHash(claimToken: string): string {
  return createHash('sha256').update(claimToken).digest('hex');
}
