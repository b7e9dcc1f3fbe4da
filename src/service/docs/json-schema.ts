// The contract's schemas as JSON Schema 2020-12, with what they share told once.
import { z } from 'zod';

/** A JSON Schema, as far as documents are made of it and pages are drawn from it. */
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
  /** What a caller sends: a field that is not known is refused where the schema says so. */
  sent(schema: z.ZodType): JsonSchema;
  /** What the service answers. More fields may come with time, so none is excluded. */
  answered(schema: z.ZodType): JsonSchema;
  /** What was referred to, by name. */
  shared(): Readonly<Record<string, JsonSchema>>;
}

const schemas = '#/components/schemas/';

/** Translates schemas. Those with an `id` in their metadata are referred to below `#/components/schemas/`. */
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
 * A format says as much as the long pattern of the same check; an object is closed only where the contract closes it.
 */
const plainly = ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: z.core.JSONSchema.BaseSchema }) => {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (zodSchema._zod.def.type === 'object' && zodSchema._zod.def.catchall === undefined) delete jsonSchema.additionalProperties;
};

/** References led out of the schema and into the document. */
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

/** The schema behind a reference into `shared`; any other schema is itself. */
export const resolved = (schema: JsonSchema, shared: Readonly<Record<string, JsonSchema>>): JsonSchema => {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...beside } = schema;
  return { ...shared[$ref.slice(schemas.length)], ...beside };
};
