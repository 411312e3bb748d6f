import 'reflect-metadata';
import { type INestApplicationContext, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommandBus, CqrsModule, QueryBus } from '@nestjs/cqrs';
import { randomUUID } from 'node:crypto';
import type { Ports } from '../../src/app/ports.js';
import { HoldfastModule } from '../../src/app/holdfast.module.js';
import { PortsModule } from '../../src/app/ports.module.js';
import { DEFAULT_TENANT } from '../../src/identity/default-tenant.js';
import { AcceptInput } from '../../src/commands/accept-input/accept-input.handler.js';
import { ClaimRun } from '../../src/commands/claim-run/claim-run.handler.js';
import { CommandsModule } from '../../src/commands/commands.module.js';
import {
  type BudgetStanding,
  ReadBudgets,
} from '../../src/commands/read-budgets/read-budgets.query.js';
import { SetBudget } from '../../src/commands/set-budget/set-budget.handler.js';
import { StartSessionBody } from '../../src/commands/start-session/start-session.dto.js';
import { StartSession } from '../../src/commands/start-session/start-session.handler.js';
import { loadConfiguration } from '../../src/config/load-configuration.js';
import type { BudgetScope } from '../../src/domain/budget/budget.js';
import { ReconcileReservations } from '../../src/reconciliation/reconcile-reservations.js';

const CLAIM_TOKEN = 'the token of this claim';

/** The commands on any ports, without a server, on a clock that a test sets. */
export class CommandApplication {
  private constructor(
    private readonly context: INestApplicationContext,
    readonly commands: CommandBus,
  ) {}

  static async open(
    ports: Ports,
    clock: () => number = Date.now,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<CommandApplication> {
    const configuration = loadConfiguration(environment);
    @Module({
      imports: [
        CqrsModule.forRoot(),
        PortsModule.with({ ports, configuration, clock }),
        CommandsModule,
      ],
      providers: [ReconcileReservations],
    })
    class ApplicationModule {}
    const context = await NestFactory.createApplicationContext(ApplicationModule, {
      logger: false,
    });
    await context.init();
    return new CommandApplication(context, context.get(CommandBus));
  }

  /** With read models and reconciliation, which go on by themselves. */
  static async whole(ports: Ports): Promise<CommandApplication> {
    const configuration = loadConfiguration({});
    const context = await NestFactory.createApplicationContext(
      HoldfastModule.with({ ports, configuration }),
      { logger: false, abortOnError: false },
    );
    return new CommandApplication(context, context.get(CommandBus));
  }

  get<T>(type: Type<T>): T {
    return this.context.get(type, { strict: false });
  }

  close(): Promise<void> {
    return this.context.close();
  }

  scope(sessionId: string) {
    return { tenantId: DEFAULT_TENANT, sessionId, actor: 'test' };
  }

  /** A session that a worker could claim. */
  async wanted(sessionId: string = randomUUID(), parentId?: string) {
    const scope = this.scope(sessionId);
    const parent = parentId && { sessionId: parentId, edge: 'subagent' as const };
    const profile = { name: 'agent', version: '1' };
    const body = Object.assign(new StartSessionBody(), { sessionId, profile, parent });
    await this.commands.execute(new StartSession(scope, body));
    const input = { inputId: 'input-1', content: 'Go on.', role: 'user' } as const;
    await this.commands.execute(
      new AcceptInput(scope, { ...input, delivery: 'steer', resume: true }),
    );
    return scope;
  }

  /** A session with a claimed run. Answers what its owner's requests carry. */
  async claimed(sessionId: string = randomUUID(), parentId?: string) {
    const scope = await this.wanted(sessionId, parentId);
    const claim = { workerId: 'worker-1', claimToken: CLAIM_TOKEN, kind: 'agent', force: false };
    const { state } = await this.commands.execute(new ClaimRun(scope, claim as never));
    return { sessionId, scope, owner: { epoch: state.epoch, claimToken: CLAIM_TOKEN } };
  }

  async setBudget(budgetId: string, scope: BudgetScope, amount: string): Promise<void> {
    const rest = { currency: 'USD', period: 'none', zone: 'UTC', onUnpriced: 'deny' } as const;
    const sender = { tenantId: DEFAULT_TENANT, actor: 'test' };
    await this.commands.execute(new SetBudget(sender, budgetId, { scope, amount, ...rest }));
  }

  async standing(budgetId: string): Promise<BudgetStanding> {
    const query = new ReadBudgets(DEFAULT_TENANT, budgetId);
    return (await this.context.get(QueryBus).execute(query))[0]!;
  }
}
