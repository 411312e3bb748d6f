import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { StoreHealth } from '../../health/store-health.js';
import { WithoutKey } from '../principal.js';

/** For supervisors: tells the state of the server and nothing else. */
@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(private readonly health: StoreHealth) {}

  @WithoutKey()
  @Get('livez')
  live(): object {
    return { status: 'ok' };
  }

  /** Without the read side events are still recorded: such a server stays in service. */
  @WithoutKey()
  @Get('readyz')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    const { eventStore, readModels } = await this.health.ask();
    if (!eventStore) {
      void reply.status(503).header('Retry-After', '2');
      return { status: 'store_unavailable' };
    }
    if (!readModels) return { status: 'read_models_unavailable' };
    const behindSeconds = await this.health.behindSeconds();
    return behindSeconds === undefined
      ? { status: 'ok' }
      : { status: 'read_models_behind', behindSeconds };
  }
}
