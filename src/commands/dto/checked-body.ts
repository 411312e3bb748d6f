import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { type RequestFault, faultsOf } from './faults.js';
import { quickCheckOf } from './quick-check.js';

type Fields = Readonly<Record<string, unknown>>;

export interface CheckedBody<Body> {
  readonly body: Body;
  /** Empty when the body is valid. */
  readonly faults: readonly RequestFault[];
}

/** The fields as a body of this class, held against its declarations; unknown ones are faults. */
export function checkedBody<Body extends object>(
  bodyClass: new () => Body,
  fields: Fields,
  at = '',
): CheckedBody<Body> {
  const valid = quickCheckOf(bodyClass)(fields);
  if (valid !== undefined) return { body: valid, faults: [] };
  const body = plainToInstance(bodyClass, fields);
  const errors = validateSync(body, { whitelist: true, forbidNonWhitelisted: true });
  return { body, faults: faultsOf(errors, at) };
}
