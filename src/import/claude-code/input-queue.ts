import { type LogLine, textOf } from './log-line.js';

export interface QueuedInput {
  readonly key: string;
  readonly digest: string;
  readonly text: string;
}

/** Inputs that a user typed while the agent worked, as the log's `queue-operation` lines tell. */
export class InputQueue {
  private queued: QueuedInput[] = [];

  /** What was never taken out of the queue: accepted, not delivered. */
  get waiting(): readonly QueuedInput[] {
    return this.queued;
  }

  note(line: LogLine, key: string, digest: string): void {
    if (line.type !== 'queue-operation') return;
    const text = textOf(line.value['content']);
    switch (line.value['operation']) {
      case 'enqueue':
        this.queued.push({ key, digest, text: text ?? '' });
        return;
      case 'dequeue':
        this.queued.shift();
        return;
      case 'remove':
        this.remove(text);
        return;
      case 'popAll':
        this.queued = [];
        return;
      default:
        return;
    }
  }

  /** A person's words; commands and notices of the program wait in the same queue. */
  static isInput({ text }: QueuedInput): boolean {
    return text.trim() !== '' && !/^\s*[</]/.test(text);
  }

  private remove(text: string | undefined): void {
    const found = this.queued.findIndex((input) => text === undefined || input.text === text);
    if (found !== -1) this.queued.splice(found, 1);
  }
}
