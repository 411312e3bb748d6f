import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';

const PROBLEM_SCHEMA = {
  type: 'object',
  description: 'RFC 9457 problem document; further members depend on `code`.',
  required: ['type', 'title', 'status', 'detail', 'code', 'retryable'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string' },
    retryable: { type: 'boolean' },
  },
};

/** The OpenAPI 3.1 document of the API, as it is served and committed. */
export function apiDocument(app: INestApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle('Holdfast')
    .setDescription(
      'The session backend for AI agents: record, restore, fork, compact, replay, account.',
    )
    .setVersion('1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'The API key.' }, 'key')
    .addSecurityRequirements('key')
    .setOpenAPIVersion('3.1.0')
    .build();
  const document = SwaggerModule.createDocument(app, builder, {
    operationIdFactory: (controller, method) =>
      `${controller.replace('Controller', '').toLowerCase()}.${method}`,
  });
  const schemas = { ...document.components?.schemas, Problem: PROBLEM_SCHEMA };
  return { ...document, components: { ...document.components, schemas } as never };
}
