import { NumberField, TextField } from '../dto/fields.js';
import { ToolResultBody } from './record-tool-result.dto.js';

export class RecordToolResultBody extends ToolResultBody {
  @NumberField({ description: 'Epoch of your claim.', min: 1, max: Number.MAX_SAFE_INTEGER })
  epoch: number;

  @TextField({
    description: 'The secret that you made for your claim.',
    charactersMin: 16,
    charactersMax: 256,
  })
  claimToken: string;

  @NumberField({
    description: 'How long the call took.',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    optional: true,
  })
  durationMs?: number;
}
