import { validateSync } from 'class-validator';
import { bodyOf } from './body-of.js';
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
  const faults: RequestFault[] = [];
  const body = bodyOf(bodyClass, fields, at, faults);
  const errors = validateSync(body, {
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    stopAtFirstError: true,
  });
  return { body, faults: [...faults, ...faultsOf(errors, at)] };
}
