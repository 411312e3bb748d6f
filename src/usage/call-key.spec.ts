import { describe, expect, it } from '@jest/globals';
import { callKeyOfClaudeCode, callKeyOfIteration, callKeyOfNative } from './call-key.js';

describe('callKey', () => {
  it('names a native call by its response, with the provider', () => {
    const call = { sessionId: 's1', modelCallId: 'm1', provider: 'Anthropic', responseId: 'msg_1' };
    expect(callKeyOfNative(call)).toBe('response:anthropic:msg_1');
    expect(callKeyOfNative({ ...call, sessionId: 's2' })).toBe(callKeyOfNative(call));
    expect(callKeyOfNative({ ...call, provider: 'openai' })).not.toBe(callKeyOfNative(call));
  });

  it('names a native call without response by its own id, which is unique in its session', () => {
    const call = { sessionId: 's1', modelCallId: 'm1' };
    expect(callKeyOfNative(call)).not.toBe(callKeyOfNative({ ...call, sessionId: 's2' }));
  });

  it('U03 counts a Claude Code message id once, with and without a request id', () => {
    const messageId = 'msg_1';
    expect(callKeyOfClaudeCode({ messageId, requestId: 'req_1', uuid: 'a' })).toBe(
      callKeyOfClaudeCode({ messageId, uuid: 'b' }),
    );
    expect(callKeyOfClaudeCode({ requestId: 'req_1', uuid: 'a' })).toBe(
      callKeyOfClaudeCode({ requestId: 'req_1', uuid: 'b' }),
    );
    expect(callKeyOfClaudeCode({ uuid: 'a' })).toBe('claude-code-line:a');
    expect(callKeyOfClaudeCode({})).toBeUndefined();
  });

  it('a call that was recorded here and is imported too has one key', () => {
    const native = {
      sessionId: 's1',
      modelCallId: 'm1',
      provider: 'anthropic',
      responseId: 'msg_1',
    };
    expect(callKeyOfClaudeCode({ messageId: 'msg_1' })).toBe(callKeyOfNative(native));
  });

  it('names an iteration below its response', () => {
    expect(callKeyOfIteration('response:anthropic:msg_1', 2)).toBe('response:anthropic:msg_1/2');
  });
});
