import type { Content, GenerateContentConfig } from '@google/genai';
import { describe, expect, it } from '@jest/globals';
import type { Json } from '../domain/content.js';
import { built } from '../../test/context/built.js';
import {
  DATE,
  FACTS,
  SUMMARY,
  TIMED_OUT,
  threeCalls,
  wholeSession,
} from '../../test/context/whole-session.js';

const SIGNED: { readonly [key: string]: Json } = { thoughtSignature: 'Y2FsbA==' };

describe('a Gemini context', () => {
  const source = wholeSession({ provider: 'google', api: 'gemini', model: 'model-1' }, [
    { type: 'provider', block: { text: 'hm', thought: true } },
    { type: 'provider', block: { thoughtSignature: 'dGV4dA==' } },
    { type: 'text', text: 'I look.' },
    ...threeCalls((id, path): Json => ({
      functionCall: { id, name: 'read', args: { path } },
      ...(id === 'call_0' ? SIGNED : {}),
    })),
  ]);

  it('is a request of the type that the Google SDK takes', () => {
    const inlineData = { mimeType: 'image/png', data: 'AA==' };
    const call = (id: string, path: string) => ({
      functionCall: { id, name: 'read', args: { path } },
    });
    const expected: Content[] = [
      {
        role: 'user',
        parts: [
          { text: FACTS },
          { text: SUMMARY },
          { text: 'Look.' },
          { inlineData },
          { fileData: { mimeType: 'image/png', fileUri: 'https://files.example/a.png' } },
          { inlineData: { mimeType: 'application/pdf', data: 'JVBERg==' } },
        ],
      },
      {
        role: 'model',
        parts: [
          { text: 'hm', thought: true },
          { text: 'I look.', thoughtSignature: 'dGV4dA==' },
          { ...call('call_0', 'a'), thoughtSignature: 'Y2FsbA==' },
          call('call_1', 'b'),
          call('call_2', 'c'),
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'call_0', name: 'read', response: { output: 'seen' } } },
          { functionResponse: { id: 'call_1', name: 'read', response: { error: 'no such file' } } },
          { functionResponse: { id: 'call_2', name: 'read', response: { error: TIMED_OUT } } },
        ],
      },
      { role: 'user', parts: [{ inlineData }, { text: 'Go on.' }, { text: DATE }] },
    ];
    const config: GenerateContentConfig = { systemInstruction: { parts: [{ text: 'Be brief.' }] } };
    const context = built(source, {
      format: 'gemini',
      instructions: 'Be brief.',
      now: '2026-06-05',
      options: { gemini3: true },
    });
    expect(context.messages).toEqual(expected);
    expect(context.system).toEqual(config.systemInstruction);
    expect(context.repairs).toEqual([]);
  });
});
