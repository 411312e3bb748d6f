import { CONTEXT_FORMATS, type ContextFormat } from '../context/formats.js';
import { CommandLineError, EXIT } from './failure.js';

export function checkedFormat(text: string): ContextFormat {
  const format = CONTEXT_FORMATS.find((known) => known === text);
  if (format !== undefined) return format;
  throw new CommandLineError(`--format must be one of ${CONTEXT_FORMATS.join(', ')}`, EXIT.usage);
}
