import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { OpenApi } from '../support/openapi-bodies.js';
import type { Answer } from '../support/http-client.js';
import type { Operation } from './requests.js';

/** Holds answers to the document: status, media type, and body down to fields that it does not name. */
export class AnswerCheck {
  private readonly ajv = new Ajv({ strict: false, allErrors: false });
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(document: OpenApi) {
    formats.default(this.ajv);
    this.ajv.addSchema(closedViews(document), 'document');
  }

  /** What is wrong with an answer; undefined when nothing is. */
  faultOf(operation: Operation, answer: Answer): string | undefined {
    if (answer.status >= 500) return `status ${answer.status}`;
    const declared = operation.responses[String(answer.status)];
    if (declared === undefined) return `status ${answer.status} is not declared`;
    const [mediaType = ''] = (answer.headers['content-type'] ?? '').split(';');
    if (declared.content === undefined) return undefined;
    const content = declared.content[mediaType];
    if (content === undefined) return `media type "${mediaType}" is not declared`;
    if (!/\/(problem\+)?json$/.test(mediaType)) return undefined;
    const { operationId } = operation;
    const at = [operationId, answer.status, mediaType].join(' ');
    const validate = this.compiled.get(at) ?? this.compile(at, content.schema ?? {});
    if (validate(answer.body)) return undefined;
    return `body: ${this.ajv.errorsText(validate.errors, { dataVar: 'answer' })}`;
  }

  private compile(at: string, schema: object): ValidateFunction {
    const text = JSON.stringify(schema).replaceAll('"#/', '"document#/');
    const validate = this.ajv.compile(JSON.parse(text) as object);
    this.compiled.set(at, validate);
    return validate;
  }
}

/** What a view does not name, an answer must not hold. A problem's further members depend on its code. */
function closedViews(document: OpenApi): object {
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => {
    const open = schema.properties === undefined || schema.additionalProperties !== undefined;
    return [name, open || name === 'Problem' ? schema : { ...schema, additionalProperties: false }];
  });
  return { components: { schemas: Object.fromEntries(schemas) as object } };
}
