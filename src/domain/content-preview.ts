import type { ArtifactLink, AssistantBlock, InputBlock, Json, ToolContent } from './content.js';

/** What an event shows of content that lies in an artifact, in characters of each text. */
export const PREVIEW_CHARACTERS = 2_000;

/** The beginning of a text; a surrogate pair is not cut in two. */
export function beginningOf(text: string, characters = PREVIEW_CHARACTERS): string {
  if (text.length <= characters) return text;
  const last = text.charCodeAt(characters - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? characters - 1 : characters);
}

/** The text of a content, media named in place. */
function plainOf(content: ToolContent): string {
  if (typeof content === 'string') return content;
  return content
    .map((block) => (block.type === 'text' ? block.text : `[${block.type}]`))
    .join('\n');
}

export function resultPreview(content: ToolContent): string {
  return beginningOf(plainOf(content));
}

/** Media that are references stay as they are: they are small. */
export function inputPreview(
  blocks: readonly InputBlock[],
  { hash, sizeBytes }: ArtifactLink,
): readonly InputBlock[] {
  const text = `${beginningOf(plainOf(blocks))}\n[The whole input: artifact ${hash}, ${sizeBytes} bytes]`;
  const media = blocks.filter((block) => block.type !== 'text' && block.artifact !== undefined);
  return [{ type: 'text', text }, ...media];
}

/** Calls keep their places; what only the provider understands is in the artifact alone. */
export function messagePreview(blocks: readonly AssistantBlock[]): readonly AssistantBlock[] {
  return blocks.flatMap((block): AssistantBlock[] => {
    if (block.type === 'text') return [{ type: 'text', text: beginningOf(block.text) }];
    return block.type === 'toolCall' ? [{ type: 'toolCall', ordinal: block.ordinal }] : [];
  });
}

/** Arguments with the beginnings of their texts; undefined when even that is more than `bytesMax`. */
export function argumentsPreview(
  args: Json,
  { hash, sizeBytes }: ArtifactLink,
  charactersMax: number,
): Json | undefined {
  const note = ` … [all of it: artifact ${hash}, ${sizeBytes} bytes]`;
  const short = withShortTexts(args, note);
  return JSON.stringify(short).length <= charactersMax ? short : undefined;
}

function withShortTexts(value: Json, note: string): Json {
  if (typeof value === 'string') {
    return value.length <= PREVIEW_CHARACTERS ? value : beginningOf(value) + note;
  }
  if (Array.isArray(value)) return value.map((item: Json) => withShortTexts(item, note));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, withShortTexts(member as Json, note)]),
  );
}
