import type { Json } from '../../src/domain/content.js';
import type { ContextFormat } from '../../src/context/format-names.js';

export interface ResponseSample {
  readonly api: ContextFormat;
  readonly provider: string;
  readonly body: Json;
  /** The same answer as it has to stand in the next request. */
  readonly sent: readonly Json[];
  /** What a person reads of it. */
  readonly text: string;
  readonly calls: readonly { readonly tool: string; readonly args: Json }[];
}

const READ = { tool: 'read', args: { path: 'a' } };

const anthropicContent: Json = [
  { type: 'thinking', thinking: '', signature: 'EqQB' },
  { type: 'redacted_thinking', data: 'sealed' },
  {
    type: 'text',
    text: 'It says so.',
    citations: [{ type: 'char_location', cited_text: 'so', document_index: 0 }],
  },
  { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
  { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
  { type: 'text', text: 'I look.' },
  {
    type: 'tool_use',
    id: 'toolu_1',
    name: 'read',
    input: { path: 'a' },
    caller: { type: 'direct' },
  },
];

const anthropic: ResponseSample = {
  api: 'anthropic',
  provider: 'anthropic',
  body: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'model-1',
    content: anthropicContent,
    stop_reason: 'tool_use',
    usage: { input_tokens: 1, output_tokens: 1 },
  },
  sent: [{ role: 'assistant', content: anthropicContent }],
  text: 'It says so. I look.',
  calls: [READ],
};

const chatCall = {
  id: 'call_1',
  type: 'function',
  function: { name: 'read', arguments: '{ "path": "a" }' },
  extra_content: { google: { thought_signature: 'c2ln' } },
};

const chat: ResponseSample = {
  api: 'openai-chat',
  provider: 'openrouter',
  body: {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'model-1',
    choices: [
      {
        index: 0,
        finish_reason: 'tool_calls',
        message: {
          role: 'assistant',
          content: 'I look.',
          refusal: null,
          annotations: [],
          reasoning_details: [{ type: 'reasoning.encrypted', data: 'sealed' }],
          tool_calls: [{ index: 0, ...chatCall }],
        },
      },
    ],
  },
  sent: [
    {
      role: 'assistant',
      content: 'I look.',
      reasoning_details: [{ type: 'reasoning.encrypted', data: 'sealed' }],
      tool_calls: [chatCall],
    },
  ],
  text: 'I look.',
  calls: [READ],
};

const reasoning = {
  type: 'reasoning',
  summary: [{ type: 'summary_text', text: 'plan' }],
  encrypted_content: 'gAAAA',
};

const responses: ResponseSample = {
  api: 'openai-responses',
  provider: 'openai',
  body: {
    id: 'resp_1',
    object: 'response',
    model: 'model-1',
    output: [
      { id: 'rs_1', ...reasoning },
      {
        id: 'ws_1',
        type: 'web_search_call',
        status: 'completed',
        action: { type: 'search', query: 'x' },
      },
      {
        id: 'msg_1',
        type: 'message',
        status: 'completed',
        role: 'assistant',
        phase: 'commentary',
        content: [{ type: 'output_text', text: 'I look.', annotations: [] }],
      },
      {
        id: 'fc_1',
        type: 'function_call',
        status: 'completed',
        call_id: 'call_1',
        name: 'read',
        arguments: '{ "path": "a" }',
      },
      {
        id: 'ctc_1',
        type: 'custom_tool_call',
        status: 'completed',
        call_id: 'call_2',
        name: 'apply_patch',
        input: '*** Begin Patch',
      },
    ],
  },
  sent: [
    reasoning,
    { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'x' } },
    { type: 'message', role: 'assistant', phase: 'commentary', content: 'I look.' },
    { type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{ "path": "a" }' },
    {
      type: 'custom_tool_call',
      call_id: 'call_2',
      name: 'apply_patch',
      input: '*** Begin Patch',
    },
  ],
  text: 'I look.',
  calls: [READ, { tool: 'apply_patch', args: { input: '*** Begin Patch' } }],
};

const geminiContent: Json = {
  role: 'model',
  parts: [
    { text: 'I think.', thought: true },
    { text: 'I look.', thoughtSignature: 'dGV4dA==' },
    { executableCode: { language: 'PYTHON', code: 'print(1)' } },
    { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
    { functionCall: { name: 'read', args: { path: 'a' } }, thoughtSignature: 'Y2FsbA==' },
    { functionCall: { id: 'fc-2', name: 'read', args: { path: 'a' } } },
    { text: '', thoughtSignature: 'bGFzdA==' },
  ],
};

const gemini: ResponseSample = {
  api: 'gemini',
  provider: 'google',
  body: {
    candidates: [{ content: geminiContent, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 1, totalTokenCount: 2 },
    modelVersion: 'model-1',
  },
  sent: [geminiContent],
  text: 'I look.',
  calls: [READ, READ],
};

const aiSdkMessage: Json = {
  role: 'assistant',
  content: [
    { type: 'reasoning', text: 'plan', providerOptions: { anthropic: { signature: 'sig' } } },
    { type: 'text', text: 'I look.', providerOptions: { openai: { itemId: 'msg_1' } } },
    {
      type: 'tool-call',
      toolCallId: 'srv_1',
      toolName: 'web_search',
      input: { query: 'x' },
      providerExecuted: true,
    },
    {
      type: 'tool-result',
      toolCallId: 'srv_1',
      toolName: 'web_search',
      output: { type: 'json', value: [] },
    },
    {
      type: 'tool-call',
      toolCallId: 'call_1',
      toolName: 'read',
      input: { path: 'a' },
      providerOptions: { google: { thoughtSignature: 'c2ln' } },
    },
  ],
};

const aiSdk: ResponseSample = {
  api: 'ai-sdk',
  provider: 'anthropic',
  body: { response: { id: 'r1', modelId: 'model-1', messages: [aiSdkMessage] } },
  sent: [aiSdkMessage],
  text: 'I look.',
  calls: [READ],
};

const langChainContent: Json = [
  { type: 'thinking', thinking: 'plan', signature: 'sig' },
  { type: 'text', text: 'I look.' },
  { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a' } },
];
const langChainCalls = [{ name: 'read', args: { path: 'a' }, id: 'toolu_1', type: 'tool_call' }];
const signatures = { __gemini_function_call_thought_signatures__: { toolu_1: 'c2ln' } };

const langChain: ResponseSample = {
  api: 'langchain',
  provider: 'anthropic',
  body: {
    type: 'ai',
    data: {
      id: 'run-1',
      content: langChainContent,
      tool_calls: langChainCalls,
      invalid_tool_calls: [],
      additional_kwargs: { ...signatures, tool_calls: [{ id: 'toolu_1' }] },
      response_metadata: { model: 'model-1', usage: { input_tokens: 1 } },
    },
  },
  sent: [
    {
      type: 'ai',
      data: {
        content: langChainContent,
        tool_calls: langChainCalls,
        additional_kwargs: signatures,
      },
    },
  ],
  text: 'I look.',
  calls: [READ],
};

/** One answer of each provider or SDK, with everything in it that has to come back unchanged. */
export const responseSamples: readonly ResponseSample[] = [
  anthropic,
  chat,
  responses,
  gemini,
  aiSdk,
  langChain,
];
