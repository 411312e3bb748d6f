import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  getArgumentValues,
  getNamedType,
  getVariableValues,
  visit,
} from 'graphql';
import { problem } from '../problem.js';
import { PAGE_MAX } from '../rest/query-fields.js';
import { ENTRY_FIELDS } from './connections.js';
import { problemError } from './problems.js';

export const DEPTH_MAX = 8;
export const COST_MAX = 1_000;
export const ALIASES_MAX = 15;
export const DIRECTIVES_MAX = 50;
export const TOKENS_MAX = 1_000;

type Variables = Readonly<Record<string, unknown>>;

interface Size {
  /** Levels of fields. */
  readonly depth: number;
  /** Objects that the answer can have, at most. */
  readonly cost: number;
  /** The part of the cost that a `first` around it multiplies. */
  readonly entries: number;
}

/**
 * Refuses a valid operation that asks for too much, before anything of it is resolved.
 * @throws GraphQLError `invalid_request`, with the HTTP status 400.
 */
export function refuseTooMuch(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  given: Variables = {},
): void {
  refuseOver('aliases', count(document, 'alias'), ALIASES_MAX);
  refuseOver('directives', count(document, 'directive'), DIRECTIVES_MAX);
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], given);
  // What is wrong with the variables is told where they are needed.
  if (coerced === undefined) return;
  const root = schema.getRootType(operation.operation);
  if (!root) return;
  const { depth, cost } = new Measure(schema, document, coerced).sizeOf(
    operation.selectionSet,
    root,
  );
  refuseOver('depth', depth, DEPTH_MAX);
  refuseOver('cost', cost, COST_MAX);
}

function count(document: DocumentNode, what: 'alias' | 'directive'): number {
  let found = 0;
  visit(document, {
    Field: ({ alias }) => void (what === 'alias' && alias !== undefined && (found += 1)),
    Directive: () => void (what === 'directive' && (found += 1)),
  });
  return found;
}

class Measure {
  private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  private readonly measured = new Map<string, Size>();

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
    private readonly variables: Variables,
  ) {
    const fragments = document.definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
    this.fragments = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  }

  sizeOf({ selections }: SelectionSetNode, type: GraphQLNamedType): Size {
    const sizes = selections.map((selection) => this.sizeOfSelection(selection, type));
    return {
      depth: Math.max(0, ...sizes.map(({ depth }) => depth)),
      cost: sum(sizes.map(({ cost }) => cost)),
      entries: sum(sizes.map(({ entries }) => entries)),
    };
  }

  private sizeOfSelection(selection: SelectionNode, type: GraphQLNamedType): Size {
    switch (selection.kind) {
      case Kind.FIELD:
        return this.sizeOfField(selection, type as GraphQLObjectType | GraphQLInterfaceType);
      case Kind.INLINE_FRAGMENT: {
        const on = selection.typeCondition?.name.value;
        return this.sizeOf(selection.selectionSet, on ? this.schema.getType(on)! : type);
      }
      case Kind.FRAGMENT_SPREAD:
        return this.sizeOfFragment(selection.name.value);
    }
  }

  /** Once each: fragments in fragments would otherwise be walked an exponential number of times. */
  private sizeOfFragment(name: string): Size {
    let size = this.measured.get(name);
    if (size === undefined) {
      const { selectionSet, typeCondition } = this.fragments.get(name)!;
      size = this.sizeOf(selectionSet, this.schema.getType(typeCondition.name.value)!);
      this.measured.set(name, size);
    }
    return size;
  }

  private sizeOfField(node: FieldNode, type: GraphQLObjectType | GraphQLInterfaceType): Size {
    const name = node.name.value;
    // Questions about the schema have a limit of their own, which comes with the validation.
    if (name.startsWith('__')) return { depth: 1, cost: 0, entries: 0 };
    const field = type.getFields()[name]!;
    if (node.selectionSet === undefined) return { depth: 1, cost: 0, entries: 0 };
    const inner = this.sizeOf(node.selectionSet, getNamedType(field.type));
    const isList = field.args.some((argument) => argument.name === 'first');
    const first = isList ? this.firstOf(node, field) : 1;
    const cost = 1 + inner.cost - inner.entries + first * inner.entries;
    return { depth: 1 + inner.depth, cost, entries: ENTRY_FIELDS.includes(name) ? cost : 0 };
  }

  private firstOf(node: FieldNode, field: Parameters<typeof getArgumentValues>[0]): number {
    const { first } = getArgumentValues(field, node, this.variables) as { first: number };
    if (first >= 1 && first <= PAGE_MAX) return first;
    throw refused(`first must be 1 to ${PAGE_MAX}`, { firstMax: PAGE_MAX });
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function refuseOver(what: string, found: number, max: number): void {
  if (found <= max) return;
  throw refused(`the operation has a ${what} of ${found}, and ${max} is the limit: ask for less`, {
    [`${what}Max`]: max,
  });
}

/** An answer with the status 400. */
export function refused(detail: string, limits?: Readonly<Record<string, number>>): GraphQLError {
  const facts = limits === undefined ? {} : { limits };
  const error = problemError(problem('invalid_request', detail, facts));
  return new GraphQLError(error.message, {
    extensions: { ...error.extensions, http: { status: 400 } },
  });
}
