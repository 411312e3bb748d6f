import type { ProbeAnswer } from '../../domain/http-probe.js';
import type { ProbeEvidence } from '../../domain/events/tool-events.js';
import { ChoiceField, NestedField, NumberField, TextField, TimeField } from '../dto/fields.js';

export class ProbeEvidenceBody implements ProbeEvidence {
  @TextField({ description: 'How it was asked: GET, a query, a look.', charactersMax: 64 })
  method: string;

  @TextField({ description: 'What was asked.', charactersMax: 1_024 })
  target: string;

  @NumberField({ description: 'HTTP status.', min: 100, max: 599, optional: true })
  statusCode?: number;

  @TextField({
    description: "The target's id of the operation.",
    charactersMax: 256,
    optional: true,
  })
  externalRef?: string;

  @TextField({
    description: 'The part of the answer that counts.',
    charactersMax: 2_048,
    optional: true,
  })
  excerpt?: string;

  @TimeField({ description: 'When the answer was seen.' })
  observedAt: string;
}

export class RecordProbeBody {
  @ChoiceField({
    description: 'What the target says about the operation key or reference.',
    choices: ['found', 'notFound', 'inProgress', 'unclear', 'error'],
  })
  answer: ProbeAnswer;

  @TimeField({ description: 'When the question was sent.' })
  requestedAt: string;

  @ChoiceField({ description: 'Who asked.', choices: ['handler', 'operator'], optional: true })
  source: 'handler' | 'operator' = 'handler';

  @NestedField({ description: 'Kept for the audit.', of: () => ProbeEvidenceBody })
  evidence: ProbeEvidenceBody;
}
