import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Lines of a Claude Code log, written for one test: each hangs on the one before. */
export class WrittenLog {
  readonly lines: Record<string, unknown>[] = [];
  private seconds = 0;
  private last: string | null = null;

  constructor(readonly sessionId = '11111111-2222-4333-8444-555555555555') {}

  user(content: unknown, more: Record<string, unknown> = {}): string {
    return this.add({ type: 'user', message: { role: 'user', content }, ...more });
  }

  assistant(id: string, block: unknown, more: Record<string, unknown> = {}): string {
    const usage = { input_tokens: 100, output_tokens: 20 };
    const model = 'claude-sonnet-4-5-20250929';
    const message = { id, type: 'message', role: 'assistant', model, content: [block], usage };
    return this.add({ type: 'assistant', requestId: `req_${id}`, message, ...more });
  }

  text(id: string, text: string, more: Record<string, unknown> = {}): string {
    return this.assistant(id, { type: 'text', text }, more);
  }

  call(id: string, callId: string, name: string, input: unknown = {}): string {
    return this.assistant(id, { type: 'tool_use', id: callId, name, input });
  }

  result(callId: string, content: unknown, more: Record<string, unknown> = {}): string {
    return this.user([{ type: 'tool_result', tool_use_id: callId, content, ...more }]);
  }

  system(subtype: string, more: Record<string, unknown> = {}): string {
    return this.add({ type: 'system', subtype, ...more });
  }

  /** A line without ids and time of its own. */
  loose(line: Record<string, unknown>): void {
    this.lines.push(line);
  }

  add(line: Record<string, unknown>): string {
    const uuid = `line-${this.sessionId.slice(0, 4)}-${this.lines.length}`;
    this.seconds += 1;
    this.lines.push({
      parentUuid: this.last,
      isSidechain: false,
      userType: 'external',
      cwd: '/tmp/demo',
      sessionId: this.sessionId,
      version: '2.1.0',
      uuid,
      timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, this.seconds)).toISOString(),
      ...line,
    });
    this.last = uuid;
    return uuid;
  }

  /** The file: all lines, or the first of them. */
  content(count = this.lines.length): string {
    return this.lines
      .slice(0, count)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('');
  }
}

/** A folder for the files of a test. */
export class LogFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'holdfast-import-'));

  write(name: string, content: string | Uint8Array): string {
    const file = join(this.path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
