import { type ArgumentMetadata, ValidationPipe } from '@nestjs/common';
import { type RequestFault, faultsOf } from '../commands/dto/faults.js';
import { checkedBody } from '../commands/dto/checked-body.js';
import { ProblemError } from './problem.js';

/** Unknown fields are refused, so that a misspelt one is an error and not a lost wish. */
export function requestValidation(): ValidationPipe {
  return new RequestValidation({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    stopAtFirstError: true,
    validationError: { target: true, value: false },
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

/**
 * A body is data and is held against its declarations as it came; a query is made of texts, which
 * the pipe of the framework turns into what they mean.
 */
class RequestValidation extends ValidationPipe {
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { type, metatype } = metadata;
    if (type !== 'body' || metatype === undefined) return super.transform(value, metadata);
    const fields = (value ?? {}) as Readonly<Record<string, unknown>>;
    const { body, faults } = checkedBody(metatype as new () => object, fields);
    if (faults.length > 0) throw invalidRequest(faults);
    return body;
  }
}
