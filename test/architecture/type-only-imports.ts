import ts from 'typescript';
import type { ProjectFile } from './project-files.js';
import type { SourceRule } from './source-rules.js';

/**
 * Nest validates and injects by the class that the compiler writes into the decorator metadata. A
 * class imported with `import type` is not written, and nothing is validated: measured with Nest
 * 12, an invalid body was answered 201. So in decorated code no such import may stand
 * in a parameter that Nest fills, unless `@Inject(token)` names what is wanted.
 */
export const noTypeOnlyClasses: SourceRule = {
  name: 'a class that Nest needs at run time is imported as a value',
  appliesTo: ({ path }) => /^(src|packages)\/.*\.ts$/.test(path),
  problems: typeOnlyClasses,
};

const validated = new Set(['Body', 'Query', 'Param', 'Args', 'Payload']);

function typeOnlyClasses({ path, text }: ProjectFile): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const typeOnly = new Set<string>();
  const problems: string[] = [];
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) {
      typeOnlyNames(statement).forEach((name) => typeOnly.add(name));
    }
  }
  const visit = (node: ts.Node): void => {
    if (ts.isParameter(node) && isFilledByNest(node)) {
      const name = referencedName(node.type);
      if (name !== undefined && typeOnly.has(name)) {
        problems.push(`${name} is imported with \`import type\``);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return problems;
}

function typeOnlyNames({ importClause }: ts.ImportDeclaration): string[] {
  if (importClause === undefined) {
    return [];
  }
  const wholeClause = importClause.phaseModifier === ts.SyntaxKind.TypeKeyword;
  const bindings = importClause.namedBindings;
  const names =
    bindings !== undefined && ts.isNamedImports(bindings)
      ? bindings.elements.filter((element) => wholeClause || element.isTypeOnly)
      : [];
  return names.map((element) => element.name.text);
}

/** A constructor parameter of a decorated class, or one that the validation pipe checks. */
function isFilledByNest(parameter: ts.ParameterDeclaration): boolean {
  const names = decoratorNames(parameter);
  if (ts.isConstructorDeclaration(parameter.parent)) {
    return !names.includes('Inject') && decoratorNames(parameter.parent.parent).length > 0;
  }
  return names.some((name) => validated.has(name));
}

function decoratorNames(node: ts.Node): string[] {
  const decorators = ts.canHaveDecorators(node) ? (ts.getDecorators(node) ?? []) : [];
  return decorators.map(({ expression }) =>
    ts.isCallExpression(expression) ? expression.expression.getText() : expression.getText(),
  );
}

function referencedName(type: ts.TypeNode | undefined): string | undefined {
  return type !== undefined && ts.isTypeReferenceNode(type) ? type.typeName.getText() : undefined;
}
