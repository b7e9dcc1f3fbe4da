// The contract's schemas as JSON Schema 2020-12, with shared schemas defined once.
import { z } from 'zod';

/** A JSON Schema, with the keywords that the documents and pages use. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly propertyNames?: JsonSchema;
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

export interface SchemaBook {
  /** A schema for requests: unknown fields are refused if the schema says so. */
  sent(schema: z.ZodType): JsonSchema;
  /** A schema for answers. Fields may be added later, so none is excluded. */
  answered(schema: z.ZodType): JsonSchema;
  /** The schemas that were referred to, by name. */
  shared(): Readonly<Record<string, JsonSchema>>;
}

const schemas = '#/components/schemas/';

/** Translates schemas. Those with an `id` in their metadata become references to `#/components/schemas/`. */
export const makeSchemaBook = (): SchemaBook => {
  const shared = new Map<string, JsonSchema>();
  const translate = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
    const { $schema, $defs = {}, ...own } = z.toJSONSchema(schema, { io, override: plainly });
    for (const [name, definition] of Object.entries($defs)) {
      const { id, ...rest } = definition as { id?: string };
      shared.set(name, moved(rest) as JsonSchema);
    }
    return moved(own) as JsonSchema;
  };
  return {
    sent: (schema) => translate(schema, 'input'),
    answered: (schema) => translate(schema, 'output'),
    shared: () => Object.fromEntries([...shared].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
};

/**
 * Omits the long pattern of a check if the format says the same; an object is closed only if the contract closes it.
 */
const plainly = ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: z.core.JSONSchema.BaseSchema }) => {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (zodSchema._zod.def.type === 'object' && zodSchema._zod.def.catchall === undefined) delete jsonSchema.additionalProperties;
};

/** Rewrites references from within the schema to the document. */
const moved = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(moved);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === '$ref' && typeof item === 'string' ? item.replace('#/$defs/', schemas) : moved(item),
    ]),
  );
};

/** The target of a reference into `shared`; any other schema is returned as it is. */
export const resolved = (schema: JsonSchema, shared: Readonly<Record<string, JsonSchema>>): JsonSchema => {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...beside } = schema;
  return { ...shared[$ref.slice(schemas.length)], ...beside };
};
