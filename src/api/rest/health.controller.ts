import { Controller, Get, Header, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { MetricsPage } from '../../health/metrics-page.js';
import { StoreHealth } from '../../health/store-health.js';
import { Needs } from '../needs.js';
import { type Principal, WithoutKey } from '../principal.js';
import { ProblemError } from '../problem.js';
import { Sender } from '../request-scope.js';

/** The actor of the installation's own key. */
const INSTALLATION = 'local';

/** For supervisors: tells the state of the server and nothing else. */
@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(
    private readonly health: StoreHealth,
    private readonly metrics: MetricsPage,
  ) {}

  @Get('livez')
  @WithoutKey()
  live(): object {
    return { status: 'ok' };
  }

  /** Without the read side events are still recorded: such a server stays in service. */
  @Get('readyz')
  @WithoutKey()
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    const { eventStore, readModels } = await this.health.ask();
    if (!eventStore) {
      void reply.status(503).header('Retry-After', '2');
      return { status: 'store_unavailable' };
    }
    return { status: readModels ? 'ok' : 'read_models_unavailable' };
  }

  /** Sums over all tenants: for the key of the installation, and for no tenant's. */
  @Get('metrics')
  @Needs('quota:manage')
  @Header('Cache-Control', 'no-store')
  async measured(@Sender() { actor }: Principal, @Res() reply: FastifyReply): Promise<void> {
    if (actor !== INSTALLATION) {
      throw new ProblemError('forbidden', 'metrics are read with the key of the installation');
    }
    void reply.type(this.metrics.contentType).send(await this.metrics.text());
  }
}
