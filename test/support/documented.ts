// The service's own documents as a check of its answers, with ajv, which is independent of zod.
import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Reply } from './running-service.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is looked into from outside, as its readers do.
type Any = any;

/** An operation of the document. */
export interface DocumentedOperation {
  readonly id: string;
  readonly method: string;
  /** `/requests/{id}/cancel` */
  readonly path: string;
  readonly tag: string;
  readonly statuses: readonly number[];
  /** The codes of its documented refusals. */
  readonly codes: readonly string[];
  readonly requestSchema: Any;
  readonly example: Any;
}

export interface Documented {
  readonly operations: readonly DocumentedOperation[];
  /** Fails unless an answer of this operation is documented, header by header and field by field. */
  holds(operation: DocumentedOperation, reply: Reply): void;
  /** Whether the document allows a request body. */
  accepts(operation: DocumentedOperation, body: unknown): boolean;
}

/**
 * Closes every object: the document leaves room for future fields, but the service may not use it for undocumented
 * ones.
 */
const closed = (schema: Any): Any => {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { allOf, ...rest } = schema;
  const inside = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, key === 'example' || key === 'examples' ? value : closed(value)]),
  );
  const open = inside.type === 'object' && inside.properties && inside.additionalProperties === undefined;
  return { ...inside, ...(open && { additionalProperties: false }), ...(allOf && { allOf }) };
};

const makeAjv = () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  return ajv;
};

/** A validator of one place in a document, by its JSON pointer. */
export const makeAt = (document: object) => {
  const ajv = makeAjv();
  ajv.addSchema(closed(document), 'document');
  const compiled = new Map<string, ValidateFunction>();
  return (...steps: readonly (number | string)[]): ValidateFunction => {
    const pointer = steps.map((step) => `/${encodeURIComponent(String(step).replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');
    const ready = compiled.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` });
    compiled.set(pointer, ready);
    return ready;
  };
};

export const assertValid = (validate: ValidateFunction, value: unknown, what: string) =>
  assert.ok(validate(value), `${what}: ${JSON.stringify(validate.errors?.slice(0, 3))} in ${JSON.stringify(value)}`);

/** Reads an OpenAPI document. */
export const makeDocumented = (document: Any): Documented => {
  const at = makeAt(document);
  const operations = Object.entries<Any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Any>(methods).map(([method, { operationId, tags, responses, requestBody, parameters }]): DocumentedOperation => {
      const body = requestBody?.content['application/json'];
      const codes = Object.values<Any>(responses).flatMap(
        ({ content }) => content?.['application/problem+json']?.schema.allOf[1].properties.code.enum ?? [],
      );
      const inPath = Object.fromEntries(
        parameters.filter((one: Any) => one.in === 'path').map(({ name, schema }: Any) => [name, schema.examples[0]]),
      );
      return {
        id: operationId,
        method: method.toUpperCase(),
        path,
        tag: tags[0],
        statuses: Object.keys(responses).map(Number),
        codes,
        requestSchema: body?.schema,
        example: body?.example ?? inPath,
      };
    }),
  );
  return {
    operations,
    accepts: ({ path, method }, body) =>
      at('paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema')(body),
    holds: ({ id, path, method }, { status, headers, json, text }) => {
      const place = ['paths', path, method.toLowerCase(), 'responses', status] as const;
      const described = document.paths[path][method.toLowerCase()].responses[status];
      assert.ok(described, `${id} answers ${status}, which is not documented: ${text}`);
      const [type] = Object.keys(described.content);
      assert.equal(headers['content-type'], type, `${id} ${status}`);
      assertValid(at(...place, 'content', type ?? '', 'schema'), json, `the body of ${id} ${status}`);
      for (const [name, { $ref }] of Object.entries<Any>(described.headers)) {
        const key = $ref.split('/').at(-1);
        const value = headers[name.toLowerCase()];
        const { required, schema } = document.components.headers[key];
        assert.ok(!required || value !== undefined, `${id} ${status} has no ${name}`);
        if (value !== undefined)
          assertValid(at('components', 'headers', key, 'schema'), schema.type === 'integer' ? Number(value) : value, name);
      }
    },
  };
};
