import { type ArgumentMetadata, ValidationPipe } from '@nestjs/common';
import { type RequestFault, faultsOf } from '../commands/dto/faults.js';
import { quickCheckOf } from '../commands/dto/quick-check.js';
import { ProblemError } from './problem.js';

/** Unknown fields are refused, so that a misspelt one is an error and not a lost wish. */
export function requestValidation(): ValidationPipe {
  return new RequestValidation({
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

/** Bodies that are plainly valid, which is nearly all of them, are not validated a slower way. */
class RequestValidation extends ValidationPipe {
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    return quicklyChecked(value, metadata) ?? (await super.transform(value, metadata));
  }
}

function quicklyChecked(value: unknown, { type, metatype }: ArgumentMetadata): object | undefined {
  if (type !== 'body' || metatype === undefined) return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return quickCheckOf(metatype as new () => object)(value as Record<string, unknown>);
}
