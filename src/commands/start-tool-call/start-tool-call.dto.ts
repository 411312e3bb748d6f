import { ChoiceField, NumberField, TextField } from '../dto/fields.js';
import { OwnedBody } from '../dto/owned-body.js';
import type { SkipReason } from '../../domain/events/tool-events.js';

export class StartToolCallBody extends OwnedBody {
  @NumberField({
    description: 'The attempt you ask for: 1, or the one a retry was authorized for.',
    min: 1,
    max: 100,
    optional: true,
  })
  attempt: number = 1;
}

export class RecordToolProgressBody extends OwnedBody {
  @NumberField({ description: 'The running attempt.', min: 1, max: 100, optional: true })
  attempt: number = 1;

  @TextField({
    description: "The target's id of the operation; report it as soon as you know it.",
    charactersMax: 256,
    optional: true,
  })
  externalRef?: string;

  @TextField({ description: 'How far it is.', charactersMax: 4_096, optional: true })
  note?: string;
}

export class SkipToolCallBody extends OwnedBody {
  @ChoiceField({
    description: 'Why it never starts.',
    choices: ['denied', 'requested', 'manifestUnavailable'],
  })
  reason: Extract<SkipReason, 'denied' | 'requested' | 'manifestUnavailable'>;
}

export class ReportToolUnknownBody extends OwnedBody {
  @NumberField({ description: 'The running attempt.', min: 1, max: 100, optional: true })
  attempt: number = 1;

  @ChoiceField({
    description: 'transport: timeout or lost connection. stoppedInFlight: aborted on request.',
    choices: ['transport', 'stoppedInFlight'],
    optional: true,
  })
  reason: 'transport' | 'stoppedInFlight' = 'transport';
}
