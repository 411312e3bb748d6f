/** JSON Schema of a field, as far as the API document shows it. */
export type FieldSchema = Readonly<Record<string, unknown>>;

interface DocumentedField {
  readonly schema: FieldSchema;
  readonly target: object;
  readonly name: string | symbol;
}

/** In the order in which their classes are loaded: a class behind the one that it extends. */
const fields: DocumentedField[] = [];

/**
 * Keeps what the API document says of a field until somebody makes the document. The package that makes
 * it takes longer to load than many a command of the command line takes. A class that extends one with
 * such fields has to declare its own with this, too.
 */
export function documented(schema: FieldSchema): PropertyDecorator {
  return (target, name) => {
    fields.push({ schema, target, name });
  };
}

/** Hands over every field that was not handed over before. */
export function takeDocumentedFields(): readonly DocumentedField[] {
  return fields.splice(0);
}
