import type { QuarantinedRecord } from '../import-report.js';
import { type JsonReadCounts, JsonValueReader } from '../json-values.js';
import { type ReadProgress, openLog, sizeOfLog } from '../open-log.js';
import { beginningOf } from '../../domain/content-preview.js';
import { readLine } from './log-line.js';
import { type NativeSession, nativeSessionOf } from './native-session.js';
import { Survey } from './survey.js';

/** A file after its first pass: what it is, and how much of it was there. */
export interface SurveyedLog {
  readonly file: string;
  readonly size: number;
  readonly hash: string;
  readonly native: NativeSession;
  readonly survey: Survey;
  readonly quarantine: readonly QuarantinedRecord[];
  readonly counts: JsonReadCounts;
}

const QUARANTINE_LISTED_MAX = 100;
const EXCERPT_CHARACTERS = 300;

/** Reads a file once: counts, ids, and what later lines tell of earlier ones. @throws ImportError */
export async function surveyClaudeLog(
  file: string,
  onProgress?: (progress: ReadProgress) => void,
): Promise<SurveyedLog> {
  const size = await sizeOfLog(file);
  const log = await openLog(file, { bytesMax: size, onProgress });
  const reader = new JsonValueReader();
  const survey = new Survey();
  const quarantine: QuarantinedRecord[] = [];
  for await (const read of reader.read(log.chunks())) {
    const line = read.bad === true ? undefined : readLine(read.value, read.text);
    if (read.bad !== true) survey.add(line);
    if (line !== undefined || quarantine.length >= QUARANTINE_LISTED_MAX) continue;
    const reason = read.bad === true ? read.reason : 'it is not an object';
    const excerpt = beginningOf(read.text, EXCERPT_CHARACTERS);
    quarantine.push({ index: read.index, byteOffset: read.byteOffset, reason, excerpt });
  }
  const { firstTree, firstDigest = log.hash() } = survey;
  const conversationIds = [...survey.conversationIds];
  const firstSessionId = [...survey.sessionIds][0];
  const start = { firstTree, conversationIds, firstSessionId, firstDigest };
  const native = nativeSessionOf(file, start);
  return { file, size, hash: log.hash(), native, survey, quarantine, counts: reader.counts };
}

/** Native ids of all sessions in the file, its own first. */
export function nativeIdsOf({ native, survey }: SurveyedLog): readonly string[] {
  if (native.agentId !== undefined) return [native.nativeId];
  const chains = [...survey.chainKeys].map((key) => chainId(native.nativeId, key));
  return [native.nativeId, ...chains];
}

/** Of a subagent whose lines stand inside its parent's log. */
export function chainId(nativeId: string, chainKey: string): string {
  return `${nativeId}/${chainKey}`;
}
