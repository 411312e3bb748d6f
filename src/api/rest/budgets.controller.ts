import { Body, Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ReadBudgets } from '../../commands/read-budgets/read-budgets.query.js';
import { SetBudgetBody } from '../../commands/set-budget/set-budget.dto.js';
import { RemoveBudget, SetBudget } from '../../commands/set-budget/set-budget.handler.js';
import type { Principal } from '../principal.js';
import { Sender, checkedId } from '../request-scope.js';
import { Needs } from '../needs.js';
import { Problems } from './answers.js';
import { BudgetListView, BudgetView } from './budget-views.js';

@ApiTags('budgets')
@Controller('v1/budgets')
export class BudgetsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Needs('session:read')
  @Get()
  @ApiOperation({ summary: 'Budgets, and what is spent, held and left of each' })
  @ApiOkResponse({ type: BudgetListView })
  @Problems('store_unavailable')
  async list(@Sender() { tenantId }: Principal): Promise<BudgetListView> {
    return { budgets: await this.queries.execute(new ReadBudgets(tenantId)) };
  }

  @Needs('session:read')
  @Get(':budgetId')
  @ApiOperation({ summary: 'One budget, and what is spent, held and left of it' })
  @ApiOkResponse({ type: BudgetView })
  @Problems('store_unavailable')
  read(
    @Sender() { tenantId }: Principal,
    @Param('budgetId') budgetId: string,
  ): Promise<BudgetView> {
    return this.one(tenantId, checkedId(budgetId));
  }

  @Needs('quota:manage')
  @Put(':budgetId')
  @ApiOperation({ summary: 'Set a budget, or other amounts of it; calls count from then on' })
  @ApiOkResponse({ type: BudgetView })
  @Problems(
    'id_in_use',
    'limit_exceeded',
    'version_conflict',
    'too_large',
    'append_unknown',
    'store_unavailable',
  )
  async set(
    @Sender() { tenantId, actor }: Principal,
    @Param('budgetId') budgetId: string,
    @Body() body: SetBudgetBody,
  ): Promise<BudgetView> {
    await this.commands.execute(new SetBudget({ tenantId, actor }, checkedId(budgetId), body));
    return this.one(tenantId, budgetId);
  }

  @Needs('quota:manage')
  @Delete(':budgetId')
  @HttpCode(204)
  @ApiOperation({ summary: 'Remove a budget; what was spent of it stays in the log' })
  @ApiNoContentResponse()
  @Problems('version_conflict', 'append_unknown', 'store_unavailable')
  async remove(
    @Sender() { tenantId, actor }: Principal,
    @Param('budgetId') budgetId: string,
  ): Promise<void> {
    await this.commands.execute(new RemoveBudget({ tenantId, actor }, checkedId(budgetId)));
  }

  private async one(tenantId: string, budgetId: string): Promise<BudgetView> {
    const [found] = await this.queries.execute(new ReadBudgets(tenantId, budgetId));
    return found!;
  }
}
