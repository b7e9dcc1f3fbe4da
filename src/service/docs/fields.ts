// A schema's fields as rows: name, type, rule, whether it is required, and description.
import { type Html, html } from '../../platform/html.ts';
import { type JsonSchema, resolved } from './json-schema.ts';
import { prose } from './prose.ts';

type Shared = Readonly<Record<string, JsonSchema>>;

export interface Field {
  /** `recipients[].email` */
  readonly name: string;
  readonly type: string;
  readonly rule: Html | undefined;
  /** Whether it is required in requests, or always present in answers. */
  readonly required: boolean;
  readonly description: string | undefined;
  /** The apps that have it, if a schema covers several and not all have it. */
  readonly apps: readonly string[];
}

/** The fields, with those of nested objects below them. For a schema with variants, the fields of all variants. */
export const documentedFields = (schema: JsonSchema, shared: Shared, prefix = ''): Field[] => {
  const variants = variantsOf(schema, shared);
  const names = [...new Set(variants.flatMap(({ properties = {} }) => Object.keys(properties)))];
  const appOf = (variant: JsonSchema) => variant.properties?.app?.const;
  const all = new Set(variants.map(appOf).filter((app) => app !== undefined));
  return names.flatMap((name) => {
    const having = variants.filter(({ properties }) => properties?.[name] !== undefined);
    const property = merged(having.map(({ properties }) => properties?.[name] ?? {}));
    const apps = new Set(having.map(appOf).filter((app) => app !== undefined));
    const required = variants.every((variant) => variant.required?.includes(name));
    const described = resolved(property, shared);
    const field = {
      name: prefix + name,
      type: typeOf(property, shared),
      rule: ruleOf(described),
      required,
      description: described.description,
    };
    const inside =
      described.type === 'array' && described.items
        ? documentedFields(described.items, shared, `${prefix}${name}[].`)
        : documentedFields(property, shared, `${prefix}${name}.`);
    return [{ ...field, apps: apps.size < all.size ? [...apps].map(String) : [] }, ...inside];
  });
};

const variantsOf = (given: JsonSchema, shared: Shared): JsonSchema[] => {
  const schema = resolved(given, shared);
  const several = schema.anyOf ?? schema.oneOf;
  if (several) return several.flatMap((one) => variantsOf(one, shared));
  return schema.properties ? [schema] : [];
};

/** A property of several variants: if they fix different values, all of those. */
const merged = (properties: readonly JsonSchema[]): JsonSchema => {
  const fixed = [...new Set(properties.flatMap((one) => (one.const !== undefined ? [one.const] : (one.enum ?? []))))];
  const { const: _, ...first } = properties[0] ?? {};
  return fixed.length > 0 ? { ...first, enum: fixed } : first;
};

const typeOf = (given: JsonSchema, shared: Shared): string => {
  const schema = resolved(given, shared);
  const several = schema.anyOf ?? schema.oneOf;
  if (several) return [...new Set(several.map((one) => typeOf(one, shared)))].join(' or ');
  if (schema.type === 'array') return `list of ${schema.items ? plural(typeOf(schema.items, shared)) : 'anything'}`;
  if (typeof schema.additionalProperties === 'object') return `object of ${plural(typeOf(schema.additionalProperties, shared))}`;
  return typeof schema.type === 'string' ? schema.type : 'any';
};

const plural = (type: string) => (type === 'any' ? 'anything' : `${type}s`);

const formats: Readonly<Record<string, string>> = { uuid: 'a UUID', 'date-time': 'ISO 8601 date and time' };

const ruleOf = ({ enum: choices, format, pattern, minLength, maxLength, minItems, maxItems }: JsonSchema): Html | undefined => {
  const rules = [
    choices && html`one of ${choices.map((choice, index) => html`${index > 0 && ', '}<code>${JSON.stringify(choice)}</code>`)}`,
    format !== undefined && (formats[format] ?? format),
    pattern === '\\S' ? 'not empty' : pattern !== undefined && html`<code>${pattern}</code>`,
    span(minLength, maxLength, 'character'),
    span(minItems, maxItems, 'item'),
  ].filter((rule) => rule !== false && rule !== undefined);
  return rules.length > 0 ? html`${rules.map((rule, index) => html`${index > 0 && '; '}${rule}`)}` : undefined;
};

const span = (least: number | undefined, most: number | undefined, noun: string) => {
  // `required` already says that there is at least one.
  if ((least === undefined || least === 1) && most === undefined) return undefined;
  if (least === most) return `${least} ${noun}s`;
  if (least === undefined) return `at most ${most} ${noun}s`;
  return most === undefined ? `at least ${least} ${noun}s` : `${least} to ${most} ${noun}s`;
};

/** The rows. `optional` is the label of fields that may be missing. */
export const fieldList = (fields: readonly Field[], { required, optional }: { required: string; optional: string }): Html =>
  html`<dl class="fields">${fields.map(
    (field) => html`<div>
      <dt><code>${field.name}</code><span class="type">${field.type}</span>${field.required ? required && html`<span class="must">${required}</span>` : html`<span class="may">${optional}</span>`}</dt>
      <dd>${field.description !== undefined && html`<p>${prose(field.description)}</p>`}${field.rule && html`<p class="rule">${field.rule}</p>`}${field.apps.length > 0 && html`<p class="rule">with ${field.apps.map((app, index) => html`${index > 0 && ', '}<code>${app}</code>`)}</p>`}</dd>
    </div>`,
  )}</dl>`;
