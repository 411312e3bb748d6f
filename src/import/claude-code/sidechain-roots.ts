import { boundedKey } from '../source-reference.js';
import type { LogLine } from './log-line.js';

export interface SidechainRoot {
  /** Names the chain within its file. */
  readonly key: string;
  readonly line: LogLine;
}

/**
 * Sorts the lines of a main file: those of subagents stand between the others, each chain with a
 * root of its own (old layout). A line whose parent is missing goes to its agent's chain, else to
 * the chain of the line before it.
 */
export class SidechainRoots {
  private readonly chainOfLine = new Map<string, SidechainRoot>();
  private readonly chainOfAgent = new Map<string, SidechainRoot>();
  private last: SidechainRoot | undefined;

  /** Undefined for a line of the main conversation. */
  chainOf(line: LogLine, recordKey: string): SidechainRoot | undefined {
    if (!line.isSidechain) return undefined;
    const chain = this.known(line) ?? {
      key: line.agentId === undefined ? boundedKey(recordKey) : `agent-${boundedKey(line.agentId)}`,
      line,
    };
    if (line.uuid !== undefined) this.chainOfLine.set(line.uuid, chain);
    if (line.agentId !== undefined && !this.chainOfAgent.has(line.agentId)) {
      this.chainOfAgent.set(line.agentId, chain);
    }
    this.last = chain;
    return chain;
  }

  private known(line: LogLine): SidechainRoot | undefined {
    const { parentUuid, agentId } = line;
    const byParent = parentUuid === undefined ? undefined : this.chainOfLine.get(parentUuid);
    if (byParent !== undefined) return byParent;
    if (agentId !== undefined) return this.chainOfAgent.get(agentId);
    return parentUuid === undefined ? undefined : this.last;
  }
}
