import { type ValidationError, ValidationPipe } from '@nestjs/common';
import { ProblemError } from './problem.js';

/** What is wrong with a request, where. */
export interface RequestFault {
  readonly at: string;
  readonly message: string;
}

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

export function faultsOf(errors: readonly ValidationError[], prefix = ''): readonly RequestFault[] {
  return errors.flatMap((error) => {
    const at = prefix === '' ? error.property : `${prefix}.${error.property}`;
    const own = Object.values(error.constraints ?? {}).map((message) => ({
      at,
      message: message.replace(/^property (\S+) should not exist$/, 'unknown field $1'),
    }));
    return [...own, ...faultsOf(error.children ?? [], at)];
  });
}
