import { isAbsolute, relative, resolve, sep } from 'node:path';
import { Expose, Transform } from 'class-transformer';
import {
  isFQDN,
  isIn,
  isInt,
  isIP,
  IsOptional,
  isURL,
  ValidateBy,
  type ValidationArguments,
} from 'class-validator';
import { isTenantId } from '../identity/access-key-text.js';
import { egressPolicy } from '../egress/egress-policy.js';
import { configurationVariables, type VariableKey } from './configuration-variables.js';
import { allowedValues, type Variable } from './variable.js';

/** Fills the property from its variable and checks it by the kind that the variable declares. */
export function FromVariable(key: VariableKey): PropertyDecorator {
  const variable: Variable = configurationVariables[key];
  return applyAll(
    Expose({ name: variable.name }),
    Transform(({ value }) => parsed(variable, value as string | undefined)),
    ...(isOptional(variable) ? [IsOptional()] : []),
    ValidateBy({
      name: variable.kind,
      validator: {
        validate: (value) => isAllowed(variable, value),
        defaultMessage: () => `allowed is ${allowedValues(variable)}`,
      },
    }),
  );
}

/** Keys beside the data they open would travel with every copy of it. */
export function OutsideFolder(property: VariableKey): PropertyDecorator {
  const other = configurationVariables[property].name;
  return applyAll(
    ValidateBy({
      name: 'outsideFolder',
      validator: {
        validate: (value, context?: ValidationArguments) => {
          const folder: unknown = Reflect.get(context?.object ?? {}, property);
          return typeof value !== 'string' || typeof folder !== 'string'
            ? true
            : !isWithin(folder, value);
        },
        defaultMessage: () => `allowed is a folder outside the data folder (${other})`,
      },
    }),
  );
}

/** The server sends nothing to an origin that its operator has not listed. */
export function OneOfOrigins(property: VariableKey): PropertyDecorator {
  const other = configurationVariables[property].name;
  return applyAll(
    ValidateBy({
      name: 'oneOfOrigins',
      validator: {
        validate: (value, context?: ValidationArguments) => {
          const listed: unknown = Reflect.get(context?.object ?? {}, property);
          if (typeof listed !== 'string' || !isEgressPolicy(listed, '')) return true;
          if (typeof value !== 'string' || !URL.canParse(value)) return true;
          return egressPolicy(listed, '').origins.has(new URL(value).origin);
        },
        defaultMessage: () => `allowed is an address at one of the origins in ${other}`,
      },
    }),
  );
}

function isOptional({ kind }: Variable): boolean {
  return ['secret', 'storeUrl', 'module', 'egressUrl', 'optionalText'].includes(kind);
}

function applyAll(...decorators: PropertyDecorator[]): PropertyDecorator {
  return (target, property) => decorators.forEach((decorate) => decorate(target, property));
}

/** Text that cannot be read as its kind stays as it is: the check after this one names it. */
function parsed(variable: Variable, text: string | undefined): string | number | undefined {
  if (text === undefined) {
    return undefined;
  }
  switch (variable.kind) {
    case 'wholeNumber':
      return /^\d{1,15}$/.test(text) ? Number(text) : text;
    case 'folder':
      return text.startsWith('~') ? text : resolve(text);
    case 'url':
      return text.replace(/\/+$/, '');
    default:
      return text;
  }
}

function isAllowed(variable: Variable, value: unknown): boolean {
  switch (variable.kind) {
    case 'wholeNumber':
      return isInt(value) && Number(value) >= variable.min && Number(value) <= variable.max;
    case 'choice':
      return isIn(value, variable.choices);
    case 'host':
      return typeof value === 'string' && isHost(value);
    case 'folder':
      return typeof value === 'string' && isAbsolute(value);
    case 'url':
      return typeof value === 'string' && isPlainUrl(value);
    case 'egressUrl':
      return typeof value === 'string' && isEgressUrl(value);
    case 'origins':
      return typeof value === 'string' && isEgressPolicy(value, '');
    case 'addressBlocks':
      return typeof value === 'string' && isEgressPolicy('', value);
    case 'storeUrl':
      return typeof value === 'string' && isStoreUrl(value, variable.schemes);
    case 'module':
      return typeof value === 'string' && isModule(value);
    case 'tenantId':
      return typeof value === 'string' && isTenantId(value);
    case 'secret':
    case 'text':
    case 'optionalText':
      return typeof value === 'string' && /^[\x21-\x7e]{1,512}$/.test(value);
  }
}

/** A name of digits and dots is a mistyped address, and resolvers differ on what it means. */
function isHost(value: string): boolean {
  return isIP(value) || (isFQDN(value, { require_tld: false }) && !/^[\d.]+$/.test(value));
}

/** A relative path would mean another file wherever the program is started. */
function isModule(value: string): boolean {
  return isAbsolute(value) || /^(@[\w.-]+\/)?[A-Za-z0-9][\w.-]*(\/[\w./-]+)?$/.test(value);
}

function isPlainUrl(value: string): boolean {
  const isUrl = isURL(value, {
    protocols: ['http', 'https'],
    require_protocol: true,
    require_tld: false,
    allow_query_components: false,
    allow_fragments: false,
    disallow_auth: true,
  });
  return isUrl && URL.canParse(value);
}

function isEgressUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password, hash } = new URL(value);
  return /^https?:$/.test(protocol) && username === '' && password === '' && hash === '';
}

function isEgressPolicy(origins: string, blocks: string): boolean {
  try {
    return egressPolicy(origins, blocks) !== undefined;
  } catch {
    return false;
  }
}

/** Several hosts may stand there, so it is no URL of the web; the client checks the rest. */
function isStoreUrl(value: string, schemes: readonly string[]): boolean {
  const [scheme = '', rest] = value.split('://', 2);
  return schemes.includes(scheme) && /^[\x21-\x7e]+$/.test(rest ?? '');
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
