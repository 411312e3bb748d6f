import { ChoiceField, TextField } from '../dto/fields.js';
import { OwnedBody } from '../dto/owned-body.js';

export class CompleteRunBody extends OwnedBody {}

export class FailRunBody extends OwnedBody {
  @TextField({ description: 'Kind of failure, for reports.', charactersMin: 1, charactersMax: 128 })
  errorClass: string;

  @TextField({ description: 'What happened.', charactersMax: 8_192 })
  message: string;
}

/** An orderly shutdown: the run goes on later. */
export class InterruptRunBody extends OwnedBody {}

export class ReleaseRunBody extends OwnedBody {
  @ChoiceField({ description: 'Why it is given back.', choices: ['waiting', 'handover'] })
  reason: 'waiting' | 'handover';

  @TextField({ description: 'Whom or what it waits for.', charactersMax: 256, optional: true })
  waitingFor?: string;
}
