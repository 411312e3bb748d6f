import { APPEND_EVENTS_MAX } from '../../storage/event-store.js';
import { CheckedField } from '../dto/fields.js';

/** One append, so that all cards are added or none. */
export const CARDS_AT_ONCE_MAX = APPEND_EVENTS_MAX;

export class AddPriceCardsBody {
  @CheckedField({
    description:
      'Price cards: {cardId, version, supersedes?, provider, region?, models: {id, aliases?, ' +
      'snapshotsOf?}, rates, fees?, contextTiers?, serviceTiers?, uplift?, windows?, ' +
      'effectiveFrom?, effectiveUntil?, currency, sources: [{name, url?, …}]}. Rates are whole ' +
      'pico-units of the currency per million tokens, fees per unit, both as decimal text. A ' +
      'change is a new version that supersedes the newest one.',
    schema: {
      type: 'array',
      items: { type: 'object' },
      minItems: 1,
      maxItems: CARDS_AT_ONCE_MAX,
    },
    name: 'isPriceCards',
    faultOf: (value) =>
      Array.isArray(value) && value.length > 0 && value.length <= CARDS_AT_ONCE_MAX
        ? undefined
        : `must be a list of 1 to ${CARDS_AT_ONCE_MAX} price cards`,
  })
  cards: unknown[];
}
