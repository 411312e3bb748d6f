import type { ErasureReason } from '../domain/events/session-events.js';
import { ChoiceField, FlagField } from '../commands/dto/fields.js';

const REASONS: readonly ErasureReason[] = ['dataSubject', 'retention', 'other'];
export const DESCENDANTS = ['refuse', 'erase'] as const;

export class EraseSessionBody {
  @ChoiceField({
    description: 'Why: somebody whose data it is has asked, its time is over, or something else.',
    choices: REASONS,
  })
  reason: ErasureReason;

  @ChoiceField({
    description:
      'What becomes of forks and child sessions: `refuse` erases nothing while the session has forks, ' +
      '`erase` erases them all with it.',
    choices: DESCENDANTS,
    optional: true,
  })
  descendants: (typeof DESCENDANTS)[number] = 'refuse';

  @FlagField({
    description: 'Erase although calls have no known outcome: what is known of them is lost.',
    optional: true,
  })
  acknowledgeUnknown: boolean = false;
}
