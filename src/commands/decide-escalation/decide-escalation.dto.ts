import type { EscalationDecision } from '../../domain/events/tool-events.js';
import { ChoiceField, IdField, TextField } from '../dto/fields.js';

export class DecideEscalationBody {
  @ChoiceField({
    description: 'What happened, or what shall happen.',
    choices: ['applied', 'notApplied', 'retry', 'compensate', 'abandon'],
  })
  decision: EscalationDecision;

  @IdField({
    description: 'The question that you answer. An answer to one that is over is refused.',
    optional: true,
  })
  escalationId?: string;

  @TextField({ description: 'Why.', charactersMax: 4_096, optional: true })
  note?: string;

  @TextField({ description: 'Where the evidence is.', charactersMax: 1_024, optional: true })
  evidenceRef?: string;
}
