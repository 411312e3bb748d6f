import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { MetricsPage } from '../../health/metrics-page.js';
import { Needs } from '../needs.js';
import type { Principal } from '../principal.js';
import { ProblemError } from '../problem.js';
import { Sender } from '../request-scope.js';

/** The actor of the installation's own key. */
const INSTALLATION = 'local';

/** Sums over all tenants: for the key of the installation, and for no tenant's. */
@ApiExcludeController()
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: MetricsPage) {}

  @Get()
  @Needs('quota:manage')
  async measured(@Sender() { actor }: Principal, @Res() reply: FastifyReply): Promise<void> {
    if (actor !== INSTALLATION) {
      throw new ProblemError('forbidden', 'metrics are read with the key of the installation');
    }
    void reply.type(this.metrics.contentType).send(await this.metrics.text());
  }
}
