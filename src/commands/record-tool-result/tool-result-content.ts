import type { ToolContent } from '../../domain/content.js';
import type { ToolResult } from '../../domain/events/tool-events.js';
import type { ArtifactStore } from '../../storage/artifact-store.js';
import { EVENT_DATA_BYTES_MAX } from '../../storage/event-store.js';
import type { CommandScope } from '../command-scope.js';
import { canonicalText } from '../session-command.js';
import type { ToolResultBody } from './record-tool-result.dto.js';

/** Room in an event for everything beside the answer. */
const INLINE_BYTES_MAX = EVENT_DATA_BYTES_MAX - 32 * 1024;
export const PREVIEW_CHARACTERS = 2_000;

/** The whole answer, of which the result hash is made, whatever is stored of it where. */
export function resultText(body: ToolResultBody): string {
  const { status, scope, isError, content, details } = body;
  return canonicalText({ status, scope, isError, content, details });
}

/** A large answer becomes an artifact before the event that names it; the event has a preview. */
export async function storedResult(
  body: ToolResultBody,
  scope: CommandScope,
  artifacts: ArtifactStore,
): Promise<ToolResult> {
  const inline = inlineResult(body);
  if (Buffer.byteLength(JSON.stringify(inline)) <= INLINE_BYTES_MAX) return inline;
  const { isError, content, details } = inline;
  const whole = Buffer.from(JSON.stringify({ content, details }));
  const artifact = await artifacts.put(scope, whole, 'application/json');
  return { isError, content: previewOf(content), artifact };
}

/** The answer as it stands; the event limit decides whether it may. */
export function inlineResult({ isError, content, details }: ToolResultBody): ToolResult {
  return { isError, content, details };
}

function previewOf(content: ToolContent): ToolContent {
  const text =
    typeof content === 'string'
      ? content
      : content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
  return text.slice(0, PREVIEW_CHARACTERS);
}
