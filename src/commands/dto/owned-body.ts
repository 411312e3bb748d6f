import { hash } from 'node:crypto';
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

let last: { readonly claimToken: string; readonly tokenHash: string } | undefined;

/** The steps of one request bring the same token, so the last one is remembered. */
export function claimTokenHash(claimToken: string): string {
  if (last?.claimToken !== claimToken) {
    last = { claimToken, tokenHash: hash('sha256', claimToken, 'hex') };
  }
  return last.tokenHash;
}
