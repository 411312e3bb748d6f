import type { Json } from '../../../domain/content.js';
import type { GivenBlock } from '../../record-assistant-message/assistant-blocks.js';
import {
  type Fields,
  argumentsOf,
  fieldsOf,
  isFields,
  listOf,
  meaningful,
  textOf,
  textWithFields,
  toolCall,
} from './response-fields.js';

const OWN_PART_TYPES = ['reasoning', 'tool-call', 'tool-result', 'tool-error', 'file', 'source'];

/**
 * Blocks of what the Vercel AI SDK answered: a result (or its `response`) with one assistant message
 * in `messages`, that message itself, or one step with `content` and `finishReason`. Results of
 * tools are recorded by their own requests. Undefined for another shape.
 */
export function aiSdkBlocks(body: Fields): readonly GivenBlock[] | undefined {
  const { messages } = isFields(body.response) ? body.response : body;
  if (Array.isArray(messages)) {
    const answers = listOf(messages).filter(({ role }) => role === 'assistant');
    return answers.length === 1 ? contentBlocks(answers[0]!.content) : undefined;
  }
  // A bare message of Chat Completions has its calls beside the content.
  const isMessage =
    body.role === 'assistant' && body.type === undefined && body.tool_calls === undefined;
  // Up to version 5 of the SDK a finish reason is a word, then an object.
  const isStep = body.role === undefined && isSet(body.finishReason);
  if (isMessage && typeof body.content === 'string') return contentBlocks(body.content);
  if (!Array.isArray(body.content)) return undefined;
  if (isStep) return contentBlocks(body.content);
  return isMessage && listOf(body.content).some(isOwnPart)
    ? contentBlocks(body.content)
    : undefined;
}

function isSet(reason: Json | undefined): boolean {
  return typeof reason === 'string' || isFields(reason);
}

function isOwnPart({ type, providerOptions }: Fields): boolean {
  return providerOptions !== undefined || OWN_PART_TYPES.some((own) => own === type);
}

function contentBlocks(content: Json | undefined): readonly GivenBlock[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return listOf(content).flatMap((part) => blockOf(asMessagePart(part)));
}

/** A step says `providerMetadata` where a message says `providerOptions`; the SDK renames it too. */
function asMessagePart({ providerMetadata, ...part }: Fields): Fields {
  return providerMetadata === undefined || part.providerOptions !== undefined
    ? part
    : { ...part, providerOptions: providerMetadata };
}

function blockOf(part: Fields): GivenBlock[] {
  const { type, text } = part;
  if (type === 'text' && typeof text === 'string') {
    const { text: _, ...fields } = part;
    return textWithFields(text, meaningful(fields), ['type']);
  }
  if (type === 'tool-call' && part.providerExecuted !== true) return [callOf(part)];
  // A source is shown to people; no message has one.
  const isRecordedElsewhere = type === 'source' || (type === 'tool-result' && !isHosted(part));
  return isRecordedElsewhere ? [] : [{ type: 'provider', block: asGenerated(part) }];
}

function isHosted({ providerExecuted, output }: Fields): boolean {
  return providerExecuted === true || typeof fieldsOf(output).type === 'string';
}

/** A step holds a generated file as an object of its own, a message as its data. */
function asGenerated(part: Fields): Fields {
  if (part.type !== 'file' || !isFields(part.file)) return part;
  const { file, ...rest } = part;
  return {
    ...rest,
    data: file.base64Data ?? file.base64 ?? null,
    mediaType: file.mediaType ?? null,
  };
}

function callOf(part: Fields): GivenBlock {
  const { toolCallId, toolName, input = {}, providerOptions } = part;
  const read = argumentsOf(input);
  const plain: Fields = {
    type: 'tool-call',
    toolCallId: toolCallId ?? null,
    toolName: toolName ?? '',
  };
  const options = isFields(providerOptions) ? meaningful({ providerOptions }) : {};
  const call = { tool: textOf(toolName) ?? '', providerCallId: textOf(toolCallId), ...read };
  const written = { ...plain, input: read.args ?? {} };
  return toolCall(call, { ...written, ...options }, written);
}
