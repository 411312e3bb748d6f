import { basename, dirname } from 'node:path';
import { boundedKey } from '../source-reference.js';
import type { LogLine } from './log-line.js';

/** Which session a file is, in Claude Code's own ids. */
export interface NativeSession {
  readonly nativeId: string;
  /** Set for the file of a subagent. */
  readonly agentId?: string;
  /** The session that this one belongs to, or whose lines it has besides its own. */
  readonly parent?: { readonly nativeId: string; readonly edge: 'subagent' | 'continuation' };
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The first lines of a file, as a survey has found them. */
export interface FileStart {
  readonly firstTree?: LogLine;
  /** Of the lines with messages, in the order in which they come first. */
  readonly conversationIds: readonly string[];
  readonly firstSessionId?: string;
  /** Digest of the first record: names a session that has no id at all. */
  readonly firstDigest: string;
}

/**
 * The file's name is the session where it is an id; else the first id in the file, so that a part of
 * a log is the session that the whole is. Lines may carry another id: the log of a resumed session
 * has lines of the earlier one.
 */
export function nativeSessionOf(file: string, start: FileStart): NativeSession {
  const stem = basename(file).replace(/\.jsonl(\.gz|\.zst)?$/i, '');
  const agentId = agentOf(stem, start);
  if (agentId !== undefined) return subagentOf(file, agentId, start);
  const nativeId = uuid.test(stem)
    ? normalId(stem)
    : normalId(start.firstSessionId ?? start.firstDigest);
  const foreign = start.conversationIds.map(normalId).find((id) => id !== nativeId);
  if (foreign === undefined) return { nativeId };
  return { nativeId, parent: { nativeId: foreign, edge: 'continuation' } };
}

/** File systems and programs do not agree on the case of an id. */
function normalId(id: string): string {
  return uuid.test(id) ? id.toLowerCase() : boundedKey(id);
}

function agentOf(stem: string, { firstTree }: FileStart): string | undefined {
  if (firstTree?.isSidechain !== true) return undefined;
  if (firstTree.agentId !== undefined) return boundedKey(firstTree.agentId);
  return stem.startsWith('agent-') ? boundedKey(stem.slice('agent-'.length)) : undefined;
}

/** Its lines name the session they belong to, or only themselves; then the folder tells. */
function subagentOf(file: string, agentId: string, start: FileStart): NativeSession {
  const own = `agent-${agentId}`;
  const told = start.firstTree?.sessionId;
  const folder = dirname(file);
  const inFolder = basename(folder) === 'subagents' ? basename(dirname(folder)) : undefined;
  const namesItself = told === undefined || told === own;
  const nativeId = namesItself ? own : subagentId(told, agentId);
  const parentId = namesItself ? inFolder : told;
  if (parentId === undefined || parentId === '') return { nativeId, agentId };
  return { nativeId, agentId, parent: { nativeId: normalId(parentId), edge: 'subagent' } };
}

/** A subagent's native id inside its session; the same for its own file and for lines inside. */
function subagentId(parentNativeId: string, agentId: string): string {
  return `${normalId(parentNativeId)}/agent-${boundedKey(agentId)}`;
}
