import { type LogLine, textOf } from './log-line.js';

export interface QueuedInput {
  readonly key: string;
  readonly digest: string;
  readonly text: string;
}

/** Inputs that a user typed while the agent worked, as the log's `queue-operation` lines tell. */
export class InputQueue {
  private queued: QueuedInput[] = [];
  private readonly gone: QueuedInput[] = [];

  /** A person's words that were never taken out of the queue: accepted, not delivered. */
  get waiting(): readonly QueuedInput[] {
    return this.queued.filter(isInput);
  }

  /** What was in the queue and left it: delivered, or taken back. */
  get left(): readonly QueuedInput[] {
    return this.gone;
  }

  note(line: LogLine, key: string, digest: string): void {
    if (line.type !== 'queue-operation') return;
    const text = textOf(line.value['content']);
    switch (line.value['operation']) {
      case 'enqueue':
        this.queued.push({ key, digest, text: text ?? '' });
        return;
      case 'dequeue':
        this.take(0, 1);
        return;
      case 'remove':
        this.remove(text);
        return;
      case 'popAll':
        this.take(0, this.queued.length);
        return;
      default:
        return;
    }
  }

  private remove(text: string | undefined): void {
    const found = this.queued.findIndex((input) => text === undefined || input.text === text);
    if (found !== -1) this.take(found, 1);
  }

  private take(from: number, count: number): void {
    this.gone.push(...this.queued.splice(from, count));
  }
}

/** Commands and notices of the program wait in the same queue. */
function isInput({ text }: QueuedInput): boolean {
  return text.trim() !== '' && !/^\s*[</]/.test(text);
}
