// An expected refusal of a request, answered as problem+json (RFC 9457).
import { STATUS_CODES } from 'node:http';
import { DatabaseUnavailable } from '../database/database.ts';

export interface FieldError {
  /** Where in the request: `variables.amount`, `recipients.0.email`. */
  readonly path: string;
  readonly message: string;
}

/**
 * Thrown by a handler to refuse a request. `code` is stable and for programs, `detail` is a sentence for people;
 * neither may contain personal data.
 */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Further members of the problem (RFC 9457, 3.2). */
  readonly more: Readonly<Record<string, unknown>> | undefined;

  constructor(
    status: number,
    code: string,
    detail: string,
    { errors, headers = {}, more }: Partial<Pick<HttpProblem, 'errors' | 'headers' | 'more'>> = {},
  ) {
    super(code);
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.errors = errors;
    this.headers = headers;
    this.more = more;
  }

  /** The same refusal with more headers; its own headers win. */
  with(headers: Readonly<Record<string, string>>): HttpProblem {
    const { status, code, detail, errors, more } = this;
    return new HttpProblem(status, code, detail, { headers: { ...headers, ...this.headers }, errors, more });
  }

  /**
   * The refusal as an answer. `typeOf` gives the page that explains a code; without it, codes are only named (RFC 9457,
   * 3.1.1).
   */
  answer(typeOf = (code: string) => `urn:countersign:problem:${code}`) {
    const { status, code, detail, errors, more } = this;
    return {
      status,
      headers: { ...this.headers, 'Content-Type': 'application/problem+json' },
      body: {
        type: typeOf(code),
        title: STATUS_CODES[status] ?? 'Error',
        status,
        detail,
        code,
        ...(errors && { errors }),
        ...more,
      },
    };
  }
}

const broken = new HttpProblem(500, 'internal_error', 'Something went wrong here. Please try again.');
const unavailable = new HttpProblem(503, 'unavailable', 'This cannot be done right now. Please try again.', {
  headers: { 'Retry-After': '1' },
});

/** How a fault is answered: a refusal as it is, any other fault without details. */
export const problemOf = (fault: unknown): HttpProblem =>
  fault instanceof HttpProblem ? fault : fault instanceof DatabaseUnavailable ? unavailable : broken;
