// The operations on the page: the purpose of each, its fields, a call with its answer, and its refusals.
import { idempotencyHeader } from '../../contract/index.ts';
import { type Html, html } from '../../platform/html.ts';
import { explained, type ProblemCode } from '../core/api/problems.ts';
import { curl, jsonCode, panel } from './code.ts';
import { documentedFields, fieldList } from './fields.ts';
import type { JsonSchema } from './json-schema.ts';
import type { OpenApi, OpenApiOperation } from './openapi.ts';
import { paragraphs } from './prose.ts';

/** An operation with its method and path. */
export interface ListedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
}

/** The operations of a tag, in the order of the document. */
export const listedUnder = (tag: string, { paths }: OpenApi): ListedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/** An operation's anchor on the page. */
export const anchorOf = ({ operationId }: OpenApiOperation) => `op-${operationId.replaceAll('.', '-')}`;

/** One operation. */
export const operationSection = ({ method, path, operation }: ListedOperation, { components: { schemas }, servers }: OpenApi): Html => {
  const body = operation.requestBody?.content['application/json'];
  const sent = body?.schema ?? pathFields(operation);
  const good = operation.responses[200]?.content?.['application/json'];
  const [file] = Object.keys(operation.responses[200]?.content ?? {});
  const codes = Object.values(operation.responses).flatMap(({ content }) => codesIn(content?.['application/problem+json']?.schema));
  const keyed = operation.parameters.some((parameter) => '$ref' in parameter && parameter.$ref.endsWith(idempotencyHeader));
  const anchor = anchorOf(operation);
  return html`<article class="operation" aria-labelledby="${anchor}">
    <div class="told">
      <h3 id="${anchor}">${operation.summary}</h3>
      <p class="route">${badge(method)}<code>${path}</code></p>
      ${operation.description !== undefined && paragraphs(operation.description)}
      ${sent && html`<h4>Request</h4>`}
      ${sent && fieldList(documentedFields(sent, schemas), { required: 'required', optional: 'optional' })}
      <h4>Answer</h4>
      ${good ? fieldList(documentedFields(good.schema, schemas), { required: '', optional: 'may be missing' }) : html`<p>A file, <code>${file}</code>.</p>`}
      <h4>Refusals</h4>
      <ul class="codes">${codes.map((code) => html`<li><a href="#code-${code}"><b>${explained(code).status}</b> ${code}</a></li>`)}</ul>
    </div>
    <div class="shown">
      ${panel('Call', callOf({ method, path, operation }, servers[0]?.url ?? '', body?.example, keyed), `${method} ${path}`)}
      ${good && panel('Answer', jsonCode(good.example), `${method} ${path}`)}
    </div>
  </article>`;
};

/** A method in its colour. */
export const badge = (method: string): Html => html`<span class="method ${method.toLowerCase()}">${method}</span>`;

const pathFields = ({ parameters }: OpenApiOperation): JsonSchema | undefined => {
  const named = parameters.filter((parameter) => 'name' in parameter && parameter.in === 'path').filter((parameter) => 'name' in parameter);
  if (named.length === 0) return undefined;
  const properties = named.map(({ name, description, schema }) => [name, { ...schema, ...(description !== undefined && { description }) }]);
  return { type: 'object', properties: Object.fromEntries(properties), required: named.map(({ name }) => name) };
};

const callOf = ({ method, path, operation }: ListedOperation, base: string, example: unknown, keyed: boolean): Html => {
  const filled = operation.parameters.reduce(
    (address, parameter) =>
      'name' in parameter && parameter.in === 'path'
        ? address.replace(`{${parameter.name}}`, String(parameter.schema.examples?.[0]))
        : address,
    path,
  );
  return curl({
    method,
    url: new URL(filled, base).href,
    ...(keyed && { headers: [`${idempotencyHeader}: 01KAH5Z0V8Q2J9XW3N4M5P6R7T`] }),
    ...(method === 'GET' ? { query: example as Record<string, unknown> } : { body: example }),
  });
};

const codesIn = (schema: JsonSchema | undefined): readonly ProblemCode[] =>
  (schema?.allOf ?? []).flatMap(({ properties }) => (properties?.code?.enum ?? []) as readonly ProblemCode[]);
