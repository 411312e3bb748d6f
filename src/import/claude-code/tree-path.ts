import type { LogLine } from './log-line.js';

interface Node {
  readonly parent: Node | undefined;
  /** Revision of the last event that was made of the line. */
  readonly revision: number;
  /** An input or an answer hangs below it. */
  followed: boolean;
}

/**
 * Where the lines of one conversation hang. The tree is nearly linear; many lines do not hang on the
 * line before (results of parallel calls, progress, neighbours of a torn line), and only a typed
 * input that goes back behind what was said since makes a branch.
 */
export class TreePath {
  private readonly nodes = new Map<string, Node>();
  private tip: Node | undefined;

  register(line: LogLine, revision: number, isConversation: boolean): void {
    if (line.uuid === undefined || this.nodes.has(line.uuid)) return;
    const node: Node = { parent: this.parentOf(line) ?? this.tip, revision, followed: false };
    this.nodes.set(line.uuid, node);
    this.tip = node;
    if (!isConversation) return;
    for (let above = node.parent; above?.followed === false; above = above.parent) {
      above.followed = true;
    }
  }

  /**
   * The revisions of the lines that a typed input hangs on, nearest first, when it makes a branch.
   * A line whose parent is missing or that names none goes on where the file is.
   */
  branchPoints(line: LogLine): readonly number[] {
    const parent = this.parentOf(line);
    if (parent === undefined || (!parent.followed && this.isOnPath(parent))) return [];
    const revisions: number[] = [];
    for (let node: Node | undefined = parent; node !== undefined; node = node.parent) {
      revisions.push(node.revision);
    }
    return revisions;
  }

  private parentOf(line: LogLine): Node | undefined {
    const { parentUuid, uuid } = line;
    return parentUuid === undefined || parentUuid === uuid ? undefined : this.nodes.get(parentUuid);
  }

  private isOnPath(wanted: Node): boolean {
    for (let node = this.tip; node !== undefined; node = node.parent) {
      if (node === wanted) return true;
      if (node.revision < wanted.revision) return false;
    }
    return false;
  }
}
