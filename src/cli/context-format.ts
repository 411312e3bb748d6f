import { CONTEXT_FORMATS, type ContextFormat } from '../context/format-names.js';
import { CommandLineError, EXIT } from './failure.js';

/** What a help text says: `neutral, openai-chat … or langchain`. */
export const FORMAT_CHOICES = `${CONTEXT_FORMATS.slice(0, -1).join(', ')} or ${CONTEXT_FORMATS.at(-1)}`;

export function checkedFormat(text: string): ContextFormat {
  const format = CONTEXT_FORMATS.find((known) => known === text);
  if (format !== undefined) return format;
  throw new CommandLineError(
    `--format must be one of ${CONTEXT_FORMATS.join(', ')}, not "${text}"`,
    EXIT.usage,
  );
}
