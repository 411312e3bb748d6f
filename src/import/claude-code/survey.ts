import type { PriceCards } from '../../pricing/card-index.js';
import type { LogCounts } from '../import-report.js';
import { beginningOf } from '../../domain/content-preview.js';
import { boundedKey } from '../source-reference.js';
import { type Answer, addUsage, modelOf } from './answer-usage.js';
import { CallNames, answerKey, isSynthetic, usageOf, writtenCharacters } from './assistant-line.js';
import { costColumns } from './cost-columns.js';
import { type LogLine, RecordIdentities, isObject, textOf, typeName } from './log-line.js';
import { SidechainRoots } from './sidechain-roots.js';
import { plainText, isDenied, readUserLine } from './user-line.js';

const TITLE_CHARACTERS_MAX = 120;
const SUMMARIES_MAX = 1_000;

/**
 * The first pass over a file: counts, and what a later line tells of an earlier one (the best usage
 * of an answer, which calls get a result). It keeps ids and numbers, never content.
 */
export class Survey {
  readonly answers = new Map<string, Answer>();
  readonly callIds = new Set<string>();
  readonly resultIds = new Set<string>();
  readonly deniedIds = new Set<string>();
  /** Agent ids by the call that started the agent, where the log names both. */
  readonly callOfAgent = new Map<string, string>();
  readonly sessionIds = new Set<string>();
  /** Of the lines with messages, in the order in which they come first. */
  readonly conversationIds = new Set<string>();
  readonly byType = new Map<string, number>();
  readonly chainKeys = new Set<string>();
  firstDigest: string | undefined;
  firstTree: LogLine | undefined;
  firstConversation: LogLine | undefined;
  firstTime: string | undefined;
  version: string | undefined;
  cwd: string | undefined;
  gitBranch: string | undefined;
  model: string | undefined;
  repeated = 0;
  noRecords = 0;
  zoneAssumed = 0;
  private readonly answerKeys = new Set<string>();
  private readonly identities = new RecordIdentities();
  private readonly names = new CallNames();
  private readonly chains = new SidechainRoots();
  private titles: { custom?: string; generated?: string; input?: string } = {};
  private readonly summaries: { readonly leafUuid: string; readonly summary: string }[] = [];
  private tally = {
    user_inputs: 0,
    other_inputs: 0,
    rejected: 0,
    interrupts: 0,
    compactions: 0,
    sidechain_records: 0,
  };

  get title(): string | undefined {
    const { custom, generated, input } = this.titles;
    // Logs begin with summaries of other conversations: those whose last line is not here.
    const summary = this.summaries.find(({ leafUuid }) => this.identities.has(leafUuid))?.summary;
    return custom ?? generated ?? summary ?? input;
  }

  add(line: LogLine | undefined): void {
    if (line === undefined) {
      this.noRecords += 1;
      return;
    }
    const name = typeName(line);
    this.byType.set(name, (this.byType.get(name) ?? 0) + 1);
    const { key, digest, isRepeated } = this.identities.identify(line);
    if (isRepeated) {
      this.repeated += 1;
      return;
    }
    this.firstDigest ??= digest;
    this.addFacts(line);
    const chain = this.chains.chainOf(line, key);
    if (chain !== undefined) {
      this.chainKeys.add(chain.key);
      this.tally.sidechain_records += 1;
    }
    if (line.type === 'assistant') this.addAssistant(line, key);
    if (line.type === 'user') this.addUser(line);
    if (line.type === 'system' && line.subtype === 'compact_boundary') this.tally.compactions += 1;
    this.addTitle(line);
  }

  counts(cards: PriceCards): Omit<LogCounts, 'file' | 'records' | 'lines' | 'bad_lines'> {
    const calls = [...this.callIds];
    const results = [...this.resultIds];
    return {
      session_ids: this.sessionIds.size,
      ...this.tally,
      assistant_messages: this.answerKeys.size,
      tool_calls: calls.length,
      tool_results: results.length,
      dangling: calls.filter((id) => !this.resultIds.has(id)).length,
      orphan_results: results.filter((id) => !this.callIds.has(id)).length,
      ...costColumns([...this.answers.values()], cards),
    };
  }

  private addFacts(line: LogLine): void {
    if (line.sessionId !== undefined) this.sessionIds.add(line.sessionId);
    if (line.uuid !== undefined) this.firstTree ??= line;
    if (line.message !== undefined) {
      this.firstConversation ??= line;
      if (line.sessionId !== undefined) this.conversationIds.add(line.sessionId);
    }
    this.firstTime ??= line.time;
    if (line.zoneAssumed) this.zoneAssumed += 1;
    this.version ??= textOf(line.value['version']);
    this.cwd ??= textOf(line.value['cwd']);
    this.gitBranch ??= textOf(line.value['gitBranch']);
  }

  private addAssistant(line: LogLine, key: string): void {
    const answer = answerKey(line, key);
    this.answerKeys.add(answer);
    for (const call of this.names.name(line, answer).values()) this.callIds.add(call.providerId);
    if (isSynthetic(line)) return;
    const known = this.answers.get(answer) ?? { characters: 0, aborted: false, lastKey: key };
    known.lastKey = key;
    known.characters += writtenCharacters(line);
    known.aborted = line.value['isAbortedMidStream'] === true;
    known.model ??= modelOf(line);
    known.messageId ??= boundedId(line.message?.['id']);
    known.requestId ??= boundedId(line.value['requestId']);
    known.uuid ??= line.uuid ?? key;
    known.firstTime ??= line.time;
    known.lastTime = line.time ?? known.lastTime;
    if (usageOf(line) !== undefined) addUsage(known, line);
    this.answers.set(answer, known);
    this.model ??= known.model;
  }

  private addUser(line: LogLine): void {
    const { kind, results, content } = readUserLine(line);
    for (const result of results) {
      const id = boundedKey(textOf(result['tool_use_id']) ?? '');
      this.resultIds.add(id);
      if (isDenied(result, line)) {
        this.deniedIds.add(id);
        this.tally.rejected += 1;
      }
      this.addAgent(line, id);
    }
    if (kind === 'interrupt') this.tally.interrupts += 1;
    if (line.isSidechain || results.length > 0) return;
    if (kind === 'typed') {
      this.tally.user_inputs += 1;
      this.titles.input ??= textOf(plainText(content).trim().split('\n', 1)[0]);
    }
    if (kind === 'program') this.tally.other_inputs += 1;
  }

  private addAgent(line: LogLine, callId: string): void {
    const details = line.value['toolUseResult'];
    const agentId = isObject(details) ? textOf(details['agentId']) : undefined;
    if (agentId !== undefined) this.callOfAgent.set(agentId, callId);
  }

  private addTitle(line: LogLine): void {
    const { value } = line;
    if (line.type === 'custom-title') this.titles.custom = textOf(value['customTitle']);
    if (line.type === 'ai-title') this.titles.generated = textOf(value['aiTitle']);
    const summary = textOf(value['summary']);
    const leafUuid = textOf(value['leafUuid']);
    if (line.type !== 'summary' || summary === undefined || leafUuid === undefined) return;
    if (this.summaries.length < SUMMARIES_MAX) {
      const title = beginningOf(summary, TITLE_CHARACTERS_MAX);
      this.summaries.push({ leafUuid: boundedKey(leafUuid), summary: title });
    }
  }
}

function boundedId(value: unknown): string | undefined {
  const id = textOf(value);
  return id === undefined ? undefined : boundedKey(id);
}
