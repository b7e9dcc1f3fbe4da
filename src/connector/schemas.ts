// Our schemas as Swagger 2.0, in the form that Power Platform reads: without unions, and with a summary for every
// field.
import { z } from 'zod';
import { ownValue } from '../platform/text/own-value.ts';

/** A schema of Swagger 2.0 (github.com/OAI/OpenAPI-Specification, 2.0: Schema Object), with Microsoft's extensions. */
export type SwaggerSchema = { [word: string]: unknown };

const words = [
  ...(['type', 'format', 'description', 'default', 'enum', 'required', 'pattern', 'minLength', 'maxLength'] as const),
  ...(['minimum', 'maximum', 'minItems', 'maxItems', 'uniqueItems'] as const),
];

/** The catalogue from which a field is chosen, by the field's name. */
const chosenFrom: Readonly<Record<string, string>> = { productId: 'products', documentId: 'documents', formId: 'forms', flow: 'flows' };

/** The operation that lists a catalogue. */
export const listOperation = (catalogue: string): string => `List${catalogue[0]?.toUpperCase()}${catalogue.slice(1)}`;

/** `customerRef` in words. */
const summaryOf = (name: string): string => {
  const text = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
};

const dynamicValues = (name: string) => {
  const catalogue = ownValue(chosenFrom, name);
  if (catalogue === undefined) return {};
  const operationId = listOperation(catalogue);
  return { 'x-ms-dynamic-values': { operationId, 'value-collection': 'items', 'value-path': 'id', 'value-title': 'title' } };
};

const swaggered = (node: SwaggerSchema, name?: string): SwaggerSchema => {
  const { additionalProperties, items, properties } = node as { [word: string]: SwaggerSchema | undefined };
  const kept = Object.fromEntries(words.flatMap((word) => (node[word] === undefined ? [] : [[word, node[word]]])));
  // The file's list of flows may be outdated, so the current one is loaded instead.
  if (name !== undefined && Object.hasOwn(chosenFrom, name)) delete kept.enum;
  return {
    ...kept,
    ...(name !== undefined && {
      'x-ms-summary': summaryOf(name),
      description: kept.description ?? `${summaryOf(name)}.`,
      ...dynamicValues(name),
    }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([field, inner]) => [field, swaggered(inner as SwaggerSchema, field)])),
    }),
    ...(items && { items: swaggered(items) }),
    // Unions are left out: any value is allowed there.
    ...(typeof additionalProperties === 'object' &&
      'type' in additionalProperties && { additionalProperties: swaggered(additionalProperties) }),
  };
};

/** One of our schemas. `io`: what is sent to us, or what we answer. */
export const swaggerOf = (schema: z.ZodType, io: 'input' | 'output'): SwaggerSchema =>
  swaggered(z.toJSONSchema(schema, { io, target: 'draft-7', reused: 'inline', unrepresentable: 'any' }) as SwaggerSchema);
