import { Controller, Get, Inject, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { EVENT_STORE } from '../../tokens.js';
import type { EventStore } from '../../storage/event-store.js';
import { WithoutKey } from '../principal.js';

/** For supervisors: tells the state of the server and nothing else. */
@ApiExcludeController()
@WithoutKey()
@Controller()
export class HealthController {
  constructor(@Inject(EVENT_STORE) private readonly events: EventStore) {}

  @Get('livez')
  live(): object {
    return { status: 'ok' };
  }

  @Get('readyz')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<object> {
    try {
      await this.events.headPosition();
      return { status: 'ok' };
    } catch {
      void reply.status(503);
      return { status: 'store_unavailable' };
    }
  }
}
