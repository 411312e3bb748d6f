import { ValidationPipe } from '@nestjs/common';
import { type RequestFault, faultsOf } from '../commands/dto/faults.js';
import { ProblemError } from './problem.js';

/** Unknown fields are refused, so that a misspelt one is an error and not a lost wish. */
export function requestValidation(): ValidationPipe {
  return new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    stopAtFirstError: true,
    validationError: { target: false, value: false },
    exceptionFactory: (errors) => invalidRequest(faultsOf(errors)),
  });
}

export function invalidRequest(faults: readonly RequestFault[]): ProblemError {
  const [first] = faults;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  return new ProblemError('invalid_request', `${first?.message ?? 'not valid'}${more}`, {
    errors: faults,
  });
}
