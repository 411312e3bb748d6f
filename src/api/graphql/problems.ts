import { Logger } from '@nestjs/common';
import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLError,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import { problemOf } from '../problem.filter.js';
import { PROBLEMS, type Problem, problem } from '../problem.js';
import { JsonScalar } from './scalars.js';

const log = new Logger('Problem');

/** A mutation that was refused: an answer, not an error. */
export class Refused {
  constructor(readonly problem: Problem) {}
}

const MEMBERS = ['type', 'title', 'status', 'detail', 'code', 'retryable'];

const ProblemCodeType = new GraphQLEnumType({
  name: 'ProblemCode',
  values: Object.fromEntries(
    Object.entries(PROBLEMS).map(([code, { title }]) => [code, { description: title }]),
  ),
});

export const ProblemType = new GraphQLObjectType<Refused>({
  name: 'Problem',
  description:
    'Why a mutation was refused: the problem document that REST answers. What makes a whole ' +
    'request or a query impossible is an error whose extensions are the same document.',
  fields: {
    code: { type: new GraphQLNonNull(ProblemCodeType), resolve: ({ problem: { code } }) => code },
    // Not `status`: clients ask for it beside the status of a session, which is of another type.
    httpStatus: {
      type: new GraphQLNonNull(GraphQLInt),
      description: 'What REST answers with.',
      resolve: ({ problem: { status } }) => status,
    },
    title: { type: new GraphQLNonNull(GraphQLString), resolve: ({ problem: { title } }) => title },
    detail: {
      type: new GraphQLNonNull(GraphQLString),
      description: 'What to do.',
      resolve: ({ problem: { detail } }) => detail,
    },
    retryable: {
      type: new GraphQLNonNull(GraphQLBoolean),
      description: 'The identical request can succeed later.',
      resolve: ({ problem: { retryable } }) => retryable,
    },
    facts: {
      type: new GraphQLNonNull(JsonScalar),
      description: 'What else helps: who holds the session, which calls are open.',
      resolve: ({ problem: of }) =>
        Object.fromEntries(Object.entries(of).filter(([name]) => !MEMBERS.includes(name))),
    },
  },
});

/** The problem document of an error, which is logged when it is Holdfast's own fault. */
export function notedProblem(error: unknown, field: string): Problem {
  const found = error instanceof GraphQLError ? problemOfGraphql(error) : problemOf(error);
  if (found.status >= 500) {
    log.error(`GraphQL ${field} ${found.code}: ${error instanceof Error ? error.message : ''}`);
  }
  return found;
}

export function problemError({ detail, ...rest }: Problem): GraphQLError {
  return new GraphQLError(detail, { extensions: { ...rest, detail } });
}

/** What GraphQL itself refuses, without the values that somebody wrote into the request. */
export function problemOfGraphql(error: GraphQLError): Problem {
  const { code } = error.extensions;
  if (typeof code === 'string' && code in PROBLEMS) return error.extensions as Problem;
  if (error.originalError instanceof Error && !(error.originalError instanceof GraphQLError)) {
    return problemOf(error.originalError);
  }
  if (isOwnFault(error)) return problemOf(error);
  return problem('invalid_request', withoutValues(error.message));
}

/** An answer that is not as it was declared. */
function isOwnFault({ path, message }: GraphQLError): boolean {
  return path !== undefined && / cannot represent /.test(message);
}

function withoutValues(message: string): string {
  return message
    .replace(/Value "[\s\S]*" does not exist/, 'A value does not exist')
    .replace(/ got invalid value [\s\S]*?(?= at "|; |$)/, ' got an invalid value')
    .replace(/\bvalue: [\s\S]*$/, 'value')
    .replace(/\binvalid value "[\s\S]*$/, 'invalid value')
    .replace(/, found [\s\S]*$/, '')
    .replace(/(Syntax Error: .*?)[\s:]+"[\s\S]*$/, '$1');
}
