/** What kinds of variables there are, and what may stand in each. */
interface VariableText {
  readonly name: string;
  /** Who reads it: the server, or the command line as a client of a running server. */
  readonly usedBy: 'server' | 'client';
  readonly meaning: string;
  /** The default as the page shows it, where it is not a plain value. */
  readonly defaultText?: string;
}

export interface WholeNumberVariable extends VariableText {
  readonly kind: 'wholeNumber';
  readonly min: number;
  readonly max: number;
  readonly default: string;
}

export interface ChoiceVariable extends VariableText {
  readonly kind: 'choice';
  readonly choices: readonly string[];
  readonly default: string;
}

export interface TextVariable extends VariableText {
  readonly kind:
    | 'host'
    | 'folder'
    | 'url'
    | 'egressUrl'
    | 'secret'
    | 'module'
    | 'text'
    | 'optionalText'
    | 'tenantId';
  readonly default?: string;
}

export interface ListVariable extends VariableText {
  readonly kind: 'origins' | 'addressBlocks';
  readonly default: string;
}

/** The address of a database server. It may hold a password, so it is never printed. */
export interface StoreUrlVariable extends VariableText {
  readonly kind: 'storeUrl';
  readonly schemes: readonly string[];
  readonly default?: undefined;
}

export type Variable =
  WholeNumberVariable | ChoiceVariable | TextVariable | ListVariable | StoreUrlVariable;

/** What may stand in a variable, as the end of the sentence "allowed is …". */
export function allowedValues(variable: Variable): string {
  switch (variable.kind) {
    case 'wholeNumber':
      return `a whole number from ${variable.min} to ${variable.max}`;
    case 'choice':
      return `one of ${variable.choices.join(', ')}`;
    case 'host':
      return 'an IP address or a host name';
    case 'folder':
      return 'the path of a folder (a leading ~ is not expanded: write the path in full)';
    case 'url':
      return 'an http or https address without user name, password, query or fragment';
    case 'egressUrl':
      return 'an http or https address without user name, password or fragment';
    case 'origins':
      return 'a list of origins such as https://api.example.com, separated by commas';
    case 'addressBlocks':
      return 'a list of address blocks such as 10.1.0.0/16, separated by commas';
    case 'storeUrl':
      return `an address that begins with ${variable.schemes.map((one) => `${one}://`).join(' or ')}`;
    case 'module':
      return 'the absolute path of a JavaScript module, or the name of an installed package';
    case 'tenantId':
      return '1 to 63 lower-case letters, digits and -, not beginning with -';
    case 'secret':
    case 'text':
    case 'optionalText':
      return '1 to 512 printable characters without a space';
  }
}
