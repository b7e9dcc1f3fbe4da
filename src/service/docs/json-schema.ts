// The contract's schemas as JSON Schema 2020-12, with shared schemas defined once.
import { z } from 'zod';

/** Named here, so that the declarations of what is made of it can name it. */
export interface JsonSchema extends z.core.JSONSchema.JSONSchema {}

/** Shared schemas by name. */
export type Shared = Readonly<Record<string, JsonSchema>>;

const place = '#/components/schemas/';

/** Translates schemas. Those with an `id` in their metadata become references to `#/components/schemas/`. */
export const makeSchemaBook = () => {
  const shared = new Map<string, JsonSchema>();
  const translate = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
    const translated = JSON.stringify(z.toJSONSchema(schema, { io, override: plainly })).replaceAll('"#/$defs/', `"${place}`);
    const { $schema, $defs, ...own } = JSON.parse(translated) as JsonSchema;
    for (const [name, { id, ...definition }] of Object.entries($defs ?? {})) shared.set(name, definition);
    return own;
  };
  return {
    /** A schema for requests: unknown fields are refused if the schema says so. */
    sent: (schema: z.ZodType) => translate(schema, 'input'),
    /** A schema for answers. Fields may be added later, so none is excluded. */
    answered: (schema: z.ZodType) => translate(schema, 'output'),
    /** The schemas that were referred to, by name. */
    shared: (): Shared => Object.fromEntries([...shared].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
};

export type SchemaBook = ReturnType<typeof makeSchemaBook>;

/**
 * Omits the long pattern of a check if the format says the same; an object is closed only if the contract closes it.
 */
const plainly: NonNullable<z.core.ToJSONSchemaParams['override']> = ({ zodSchema, jsonSchema }) => {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (zodSchema._zod.def.type === 'object' && zodSchema._zod.def.catchall === undefined) delete jsonSchema.additionalProperties;
};

/** A valid value: the first example of a schema, or one built from the first examples of its parts. */
export const exampleOf = ({ $ref, ...given }: JsonSchema, shared: Shared): unknown => {
  const schema = $ref === undefined ? given : { ...shared[$ref.slice(place.length)], ...given };
  const [example] = schema.examples ?? schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  if (example !== undefined) return example;
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first) return exampleOf(first, shared);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, shared)));
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, property]) => [name, exampleOf(property as JsonSchema, shared)]),
      );
    case 'array':
      return schema.items ? [exampleOf(schema.items as JsonSchema, shared)] : [];
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
