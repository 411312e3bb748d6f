import { describe, expect, it } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { CONTENT_FIELDS } from './content-fields.js';

/** The stored names of the events in a file of declarations, with the fields that are marked. */
function markedFields(): Map<string, Set<string>> {
  const folder = new URL('.', import.meta.url);
  const types = new Map<string, string>();
  const marked = new Map<string, Set<string>>();
  const found = (type: string) => marked.get(type) ?? marked.set(type, new Set()).get(type)!;
  const named: Readonly<Record<string, readonly string[]>> = {
    ToolResult: ['ToolResultRecorded', 'ToolLateResultReceived', 'InheritedOutcomeRecorded'],
    ProbeEvidence: ['ToolProbeRecorded'],
    NativeSummary: ['Compacted'],
    ListedOmission: ['Compacted'],
  };
  for (const name of readdirSync(folder).filter((one) => one.endsWith('-events.ts'))) {
    let within: readonly string[] = [];
    for (const line of readFileSync(new URL(name, folder), 'utf8').split('\n')) {
      const type = /readonly type: '(\w+)'/.exec(line)?.[1];
      const shape = /^export interface (\w+)/.exec(line)?.[1];
      if (type !== undefined) within = [type];
      if (shape !== undefined) within = named[shape] ?? [];
      const field = /readonly (\w+)\??: .*; \/\/ \*$/.exec(line)?.[1];
      if (field !== undefined) for (const one of within) found(one).add(field);
      if (type !== undefined) types.set(type, name);
    }
  }
  expect(types.size).toBeGreaterThan(35);
  return marked;
}

describe('content fields', () => {
  it('are those that are marked where the events are declared', () => {
    const declared = Object.fromEntries(
      [...markedFields()].map(([type, fields]) => [type, [...fields].sort()]),
    );
    const listed = Object.fromEntries(
      Object.entries(CONTENT_FIELDS).map(([type, fields]) => [
        type,
        fields.map(({ path }) => path.at(-1)!).sort(),
      ]),
    );
    expect(listed).toEqual(declared);
  });
});
