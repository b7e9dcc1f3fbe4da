// Chatwoot's own OpenAPI document, as far as the hub needs it: what is asked and answered is held against it by ajv.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Seen } from './direct-line.ts';
import { makeAt } from './documented.ts';

// `nullable` is of OpenAPI 3.0, and the document is of 3.1, where it means nothing.
const document = JSON.parse(readFileSync(new URL('schemas/chatwoot-openapi.json', import.meta.url), 'utf8'), (key, value) =>
  key === 'nullable' ? undefined : value,
);
// Fields of ours that it does not know would be dropped without a word.
const requests = makeAt(document);
const answers = new Ajv2020({ strict: false, allErrors: true });
answers.addSchema(document, 'document');

const patterns = Object.keys(document.paths).map((path) => ({ path, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '(\\d+)')}$`) }));

export interface ChatwootOperation {
  readonly operation: string;
  readonly path: string;
  readonly method: string;
  /** The number after that of the account; 0: there is none. */
  readonly id: number;
}

/** The operation that a request is for; `undefined`: the document has none. */
export const operationAt = (asked: string, pathname: string): ChatwootOperation | undefined => {
  const method = asked.toLowerCase();
  const found = patterns.find(({ path, pattern }) => pattern.test(pathname) && document.paths[path][method]);
  if (!found) return undefined;
  const [id = 0] = (found.pattern.exec(pathname) ?? []).slice(2).map(Number);
  return { operation: document.paths[found.path][method].operationId, path: found.path, method, id };
};

/** What the document does not allow in a request. */
export const faultsOfRequest = ({ method, operation, path }: ChatwootOperation, body: Seen): string[] => {
  if (!document.paths[path][method].requestBody) return [];
  const fits = requests('paths', path, method, 'requestBody', 'content', 'application/json', 'schema');
  return fits(body) ? [] : [`${operation}: ${JSON.stringify(fits.errors)} in ${JSON.stringify(body)}`];
};

/** What the document does not allow in an answer. */
export const faultsOfAnswer = ({ method, operation, path }: ChatwootOperation, made: Seen): string[] => {
  // What the document says of the sender is meant for customers alone (x-source in the document).
  const told = operation !== 'list-all-messages' ? made : { ...made, payload: made.payload.map(({ sender: _, ...one }: Seen) => one) };
  const pointer = ['paths', path, method, 'responses', '200', 'content', 'application/json', 'schema'];
  const fits = answers.compile({
    $ref: `document#${pointer.map((step) => `/${encodeURIComponent(step.replaceAll('/', '~1'))}`).join('')}`,
  });
  return fits(told) ? [] : [`answer of ${operation}: ${JSON.stringify(fits.errors)} in ${JSON.stringify(told)}`];
};
