import 'reflect-metadata';
import { type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommandBus, CqrsModule } from '@nestjs/cqrs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { openPorts } from '../../src/app/open-ports.js';
import type { Ports } from '../../src/app/ports.js';
import { PortsModule } from '../../src/app/ports.module.js';
import { AcceptInput } from '../../src/commands/accept-input/accept-input.handler.js';
import { ClaimRun } from '../../src/commands/claim-run/claim-run.handler.js';
import { CommandsModule } from '../../src/commands/commands.module.js';
import { CommitCompaction, StartCompaction } from '../../src/commands/compact/compact.handler.js';
import { ForkSession } from '../../src/commands/fork-session/fork-session.handler.js';
import type { HandledCommand } from '../../src/commands/handle-command.js';
import { RecordStep } from '../../src/commands/record-step/record-step.handler.js';
import {
  RestoreSession,
  type RestoredSession,
} from '../../src/commands/restore-session/restore-session.handler.js';
import { StartSession } from '../../src/commands/start-session/start-session.handler.js';
import { loadConfiguration } from '../../src/config/load-configuration.js';
import { sessionStream } from '../../src/identity/derived-ids.js';
import type { EventStore } from '../../src/storage/event-store.js';
import type { SqliteEventStore } from '../../src/storage/sqlite/sqlite-event-store.js';

const TENANT = 'default';
const claimToken = 'the token of this claim';

/** Calls of the event store by method, and how many events they returned. */
export interface StoreCounts {
  calls: Record<string, number>;
  eventsRead: number;
}

/** Holdfast on a data folder, as a process has it, with every call of its event store counted. */
export class CountedApplication {
  private epoch = 0;

  private constructor(
    /** The store as it is: what a test asks itself is not counted. */
    readonly ports: Ports,
    private readonly counts: StoreCounts,
    private readonly context: INestApplicationContext,
    private readonly commands: CommandBus,
  ) {}

  /** @param stores variables that name other stores than those of the folder. */
  static async open(
    folder: string,
    stores: Readonly<Record<string, string>> = {},
  ): Promise<CountedApplication> {
    const configuration = loadConfiguration({
      ...stores,
      HOLDFAST_DATA_DIR: join(folder, 'data'),
      HOLDFAST_KEYS_DIR: join(folder, 'keys'),
    });
    const opened = await openPorts(configuration);
    const counts: StoreCounts = { calls: {}, eventsRead: 0 };
    const ports = { ...opened, events: counted(opened.events, counts) };
    @Module({
      imports: [CqrsModule.forRoot(), PortsModule.with({ ports, configuration }), CommandsModule],
    })
    class CountedModule {}
    const context = await NestFactory.createApplicationContext(CountedModule, { logger: false });
    return new CountedApplication(opened, counts, context, context.get(CommandBus));
  }

  get commitCount(): number {
    return (this.ports.sealedEvents as SqliteEventStore).commitCount;
  }

  /** What the store is asked while the work is done. */
  async counting(work: () => Promise<unknown>): Promise<StoreCounts> {
    Object.assign(this.counts, { calls: {}, eventsRead: 0 });
    await work();
    return { ...this.counts };
  }

  async startSession(sessionId: string = randomUUID()): Promise<string> {
    const tools = [{ name: 'search', effect: 'readOnly' as const }];
    const profile = { name: 'agent', version: '1' };
    const body = { sessionId, labels: {}, profile, tools, recoveryMode: 'manual' as const };
    await this.commands.execute(new StartSession(this.scope(sessionId), body));
    await this.input(sessionId, 'Begin.');
    await this.claim(sessionId);
    return sessionId;
  }

  /** One turn in one append: input, model call with a tool call, its result, the answer. */
  turn(sessionId: string): Promise<HandledCommand> {
    return this.commands.execute(
      new RecordStep(this.scope(sessionId), { steps: turnSteps(), epoch: this.epoch, claimToken }),
    );
  }

  async turns(sessionId: string, count: number): Promise<void> {
    for (let turn = 0; turn < count; turn += 1) await this.turn(sessionId);
  }

  async compact(sessionId: string, keepGroups: number): Promise<void> {
    const compactionId = randomUUID();
    const owner = { epoch: this.epoch, claimToken };
    const start = {
      ...owner,
      compactionId,
      keepGroups,
      trigger: 'auto',
      withinTurn: false,
    } as const;
    await this.commands.execute(new StartCompaction(this.scope(sessionId), start));
    const body = { ...owner, summary: 'What was said before.' };
    await this.commands.execute(
      new CommitCompaction(this.scope(sessionId), { compactionId, body }),
    );
  }

  restore(sessionId: string): Promise<RestoredSession> {
    const body = { format: 'neutral', runId: randomUUID(), force: false } as const;
    return this.commands.execute(new RestoreSession(this.scope(sessionId), body));
  }

  async fork(sessionId: string, at: number): Promise<string> {
    const forkId = randomUUID();
    const body = { forkId, at, recoveryMode: 'manual' } as const;
    await this.commands.execute(new ForkSession(this.scope(sessionId), body));
    return forkId;
  }

  stream(sessionId: string): string {
    return sessionStream(TENANT, sessionId);
  }

  async close(): Promise<void> {
    await this.context.close();
    await this.ports.close();
  }

  private scope(sessionId: string) {
    return { tenantId: TENANT, sessionId, actor: 'test' };
  }

  private async input(sessionId: string, content: string): Promise<void> {
    const body = { inputId: randomUUID(), content, role: 'user', resume: true } as const;
    await this.commands.execute(
      new AcceptInput(this.scope(sessionId), { ...body, delivery: 'steer' }),
    );
  }

  private async claim(sessionId: string): Promise<void> {
    const body = { workerId: 'w', claimToken, runId: randomUUID(), kind: 'agent' } as const;
    const claim = new ClaimRun(this.scope(sessionId), { ...body, force: false });
    this.epoch = (await this.commands.execute(claim)).state.epoch;
  }
}

function counted(events: EventStore, counts: StoreCounts): EventStore {
  return new Proxy(events, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        counts.calls[String(name)] = (counts.calls[String(name)] ?? 0) + 1;
        const result: unknown = Reflect.apply(member, target, args);
        return result instanceof Promise ? result.then((value) => note(value, counts)) : result;
      };
    },
  });
}

function note<Value>(value: Value, counts: StoreCounts): Value {
  if (Array.isArray(value)) counts.eventsRead += value.length;
  return value;
}

function turnSteps(): Record<string, unknown>[] {
  const inputId = randomUUID();
  const [first, second] = [0, 1].map(() => ({
    modelCallId: randomUUID(),
    messageId: randomUUID(),
  })) as [{ modelCallId: string; messageId: string }, { modelCallId: string; messageId: string }];
  const call = { messageId: first.messageId, ordinal: 0 };
  const usage = { input_tokens: 900, output_tokens: 80 };
  const toolCall = { type: 'toolCall', tool: 'search', args: { query: 'x'.repeat(400) } };
  return [
    { type: 'acceptInput', inputId, content: 'u'.repeat(300) },
    { type: 'startModelCall', ...first, provider: 'anthropic', delivers: [inputId] },
    { type: 'settleModelCall', modelCallId: first.modelCallId, message: [toolCall], usage },
    { type: 'startToolCall', call },
    { type: 'recordToolResult', call, content: 'r'.repeat(4_000) },
    { type: 'startModelCall', ...second, provider: 'anthropic' },
    {
      type: 'settleModelCall',
      modelCallId: second.modelCallId,
      message: [{ type: 'text', text: 'a'.repeat(500) }],
      usage,
    },
  ];
}
