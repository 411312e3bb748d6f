import { it } from '@jest/globals';
import { contextOf } from '../../test/context/built.js';
import { StreamBuilder } from '../../test/context/stream-builder.js';
import { sourceFromRecords } from './source-from-records.js';
import { buildHistory } from './history.js';
it('profile', () => {
  for (const turns of [100, 1000, 10000]) {
    const stream = new StreamBuilder().started();
    // O(n) revision lookups make the builder slow; write records by hand
    let rev = 1;
    const add = (type: string, data: unknown) => { stream.records.push({ sessionId: 's1', revision: rev++, event: { type, data } as never }); };
    for (let i = 0; i < turns; i += 1) {
      add('InputAccepted', { inputId: `u${i}`, delivery: 'steer', resume: true, content: [{ type: 'text', text: 'q'.repeat(300) }], author: 'a' });
      add('RunClaimed', { runId: `r${i}`, epoch: i, kind: 'agent', reason: 'start', inputIds: [`u${i}`] });
      add('InputDelivered', { inputId: `u${i}`, runId: `r${i}`, messageId: `mu${i}` });
      for (const k of ['a', 'b']) {
        add('ModelCallStarted', { modelCallId: `mc${i}${k}`, messageId: `m${i}${k}`, runId: `r${i}`, purpose: 'turn', inputRevision: rev - 1, provider: 'anthropic', requestedModel: 'm' });
        add('AssistantMessageRecorded', { modelCallId: `mc${i}${k}`, messageId: `m${i}${k}`, part: 0, final: true, provider: 'anthropic', api: 'anthropic-messages', model: 'm', blocks: [{ type: 'text', text: 'answer '.repeat(70) }, ...(k === 'a' ? [{ type: 'toolCall', ordinal: 0 }] : [])] });
        if (k === 'a') {
          add('ToolCallRequested', { callId: `c${i}`, modelCallId: `mc${i}a`, messageId: `m${i}a`, ordinal: 0, tool: 'shell', effect: 'readOnly', timing: {}, opKey: 'x', args: { cmd: 'ls '.repeat(80) } });
          add('ModelCallSettled', { modelCallId: `mc${i}${k}`, outcome: 'completed', purpose: 'turn' });
          add('ToolCallStarted', { callId: `c${i}`, attempt: 1, epoch: 1 });
          add('ToolResultRecorded', { callId: `c${i}`, attempt: 1, status: 'completed', result: { isError: false, content: 'out '.repeat(1000) } });
        } else add('ModelCallSettled', { modelCallId: `mc${i}${k}`, outcome: 'completed', purpose: 'turn' });
      }
      add('RunCompleted', { runId: `r${i}`, epoch: i });
    }
    for (const format of ['openai-chat', 'anthropic', 'neutral'] as const) {
      for (let n = 0; n < (turns > 1000 ? 2 : 4); n += 1) {
        const t0 = performance.now();
        const source = sourceFromRecords(stream.records, 's1');
        const t1 = performance.now();
        buildHistory(source);
        const t2 = performance.now();
        contextOf(stream, { format });
        const t3 = performance.now();
        process.stderr.write(`${turns} ${format} source ${(t1 - t0).toFixed(1)} history ${(t2 - t1).toFixed(1)} all(source+context) ${(t3 - t2).toFixed(1)}\n`);
      }
    }
  }
});
