// A valid value of a schema, built from the examples of its fields.
import { type JsonSchema, resolved } from './json-schema.ts';

/** The first example of a schema, or one built from the first examples of its parts. */
export const exampleOf = (given: JsonSchema, shared: Readonly<Record<string, JsonSchema>>): unknown => {
  const schema = resolved(given, shared);
  const [example] = schema.examples ?? schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  if (example !== undefined) return example;
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first) return exampleOf(first, shared);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, shared)));
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, property]) => [name, exampleOf(property, shared)]));
    case 'array':
      return schema.items ? [exampleOf(schema.items, shared)] : [];
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return 1;
    case 'string':
      return 'text';
    default:
      return null;
  }
};
