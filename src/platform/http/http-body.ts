// Reading a request's body, plain JSON or a form, within limits of size and depth.
import type { IncomingMessage } from 'node:http';
import { readJson } from './bounded-json.ts';
import { HttpProblem } from './http-problem.ts';

/** In bytes, and in levels of nesting in JSON. */
export type BodyLimits = { readonly size: number; readonly depth: number };

/** An API's JSON: 64 KB, 32 levels (docs/security.md#resources-are-exhausted). */
export const jsonLimits: BodyLimits = { size: 64 * 1024, depth: 32 };

/**
 * The body as JSON, or as an object of strings for a form post; `undefined` when there is none.
 * @throws {HttpProblem} 400 malformed, broken off or nested too deep; 413 too large; 415 another type, or any content
 * encoding.
 */
export const readBody = async (req: IncomingMessage, limits: BodyLimits): Promise<unknown> => {
  const body = readAlready(req) ?? (await readBytes(req, limits));
  if (body.length > limits.size) throw tooLarge(limits);
  if (body.length === 0) return undefined;
  const type = req.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type === 'application/x-www-form-urlencoded') return Object.fromEntries(new URLSearchParams(body.toString('utf8')));
  if (type !== 'application/json') throw new HttpProblem(415, 'unsupported_media_type', 'Send the body as application/json.');
  return parseJson(body, limits.depth);
};

/**
 * A body that a framework in front of this server has already parsed, serialised again so that the same limits apply.
 */
const readAlready = (req: IncomingMessage & { readonly body?: unknown }): Buffer | undefined =>
  req.readableEnded && typeof req.body === 'object' && req.body !== null ? Buffer.from(JSON.stringify(req.body)) : undefined;

/**
 * The raw body, for checking a signature over it.
 * @throws {HttpProblem} 400 broken off, 413 too large, 415 any content encoding.
 */
export const readBytes = async (req: IncomingMessage, limits: Pick<BodyLimits, 'size'>): Promise<Buffer> => {
  if (req.headers['content-encoding'] !== undefined) {
    throw new HttpProblem(415, 'unsupported_encoding', 'Send the body without a content encoding.');
  }
  if (Number(req.headers['content-length'] ?? 0) > limits.size) throw tooLarge(limits);
  if (req.readableEnded) return Buffer.alloc(0);
  // A client that hangs up in the middle gets no answer, and it is no fault of ours.
  const brokenOff = () => new HttpProblem(400, 'malformed', 'The body was not sent to its end.');
  if (req.destroyed) throw brokenOff();
  // By events: an iterator over a request costs more than everything else that is read of it.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limits.size) return void chunks.push(chunk);
      req.off('data', take).pause();
      reject(tooLarge(limits));
    };
    req.on('data', take);
    req.once('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    req.once('close', () => {
      if (!req.readableEnded) reject(brokenOff());
    });
    // Stays: an error that nobody listens to would end the process.
    req.on('error', (fault) => reject(req.complete ? fault : brokenOff()));
  });
};

const tooLarge = ({ size }: Pick<BodyLimits, 'size'>) => new HttpProblem(413, 'too_large', `The body must have ${size} bytes at most.`);

const parseJson = (body: Buffer, depth: number): unknown => {
  const reading = readJson(body, depth);
  if ('value' in reading) return reading.value;
  throw reading.fault === 'too_deep'
    ? new HttpProblem(400, 'too_deep', `The body must not be nested deeper than ${depth} levels.`)
    : new HttpProblem(400, 'malformed_json', 'The body is not valid JSON.');
};

/** The fields of a posted form. */
export const postedFields = (body: unknown): Readonly<Record<string, string>> =>
  typeof body === 'object' && body !== null
    ? Object.fromEntries(Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
    : {};
