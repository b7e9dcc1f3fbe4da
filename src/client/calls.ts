// The calls of an app, and the step that every call begins with: the request is parsed before anything else happens.
import type { z } from 'zod';
import type {
  AppId,
  BootstrapAnswer,
  BootstrapRequest,
  ReadOperation,
  Repeat,
  ReturnedLink,
  SendAnswer,
  SendRequest,
} from '../contract/index.ts';
import { InvalidRequestError } from './errors.ts';
import type { Perform } from './perform.ts';
import type { RequestEncoding } from './request-encoding.ts';

export interface CallOptions {
  /** Ends the call early, with a TransportError `aborted`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The language of the customer's chat, BCP 47. Services that speak several languages use it, in answers and in
   * messages.
   */
  readonly language?: string | undefined;
}

export interface SendOptions extends CallOptions {
  /** Identifies this send for good: same key, same request. 1 to 255 visible ASCII characters, for example a ULID. */
  readonly idempotencyKey: string;
  /** The person on whose behalf it is sent, such as an agent's e-mail address: 1 to 320 visible ASCII characters. */
  readonly agentId?: string | undefined;
  /**
   * Asks for the link of the request's page, an extension. The answer has a `link` only if the service returns one that
   * leads to one of the client's `linkHosts`; never for passkeys, whose link goes to a mailbox, nor for passcodes.
   */
  readonly returnLink?: boolean | undefined;
}

/**
 * The calls that every app has. Each one throws an InvalidRequestError before anything is sent, a ServiceError, a
 * TransportError or a ProtocolError, and nothing else.
 */
export interface AppCalls<Id extends AppId> {
  /** Gets the configuration and the customers of a phone number. Safe: repeated while the deadline allows. */
  bootstrap(request: BootstrapRequest<Id>, options?: CallOptions): Promise<BootstrapAnswer<Id>>;
  /**
   * Starts an interaction. Repeated only when nothing was sent, or when the service honours the key; ask `fateOf` about
   * an error.
   */
  send(request: SendRequest<Id>, options: SendOptions): Promise<SendAnswer<Id> & ReturnedLink>;
}

/** How an answer is read. */
type Read<Value> = Pick<ReadOperation<z.ZodType, z.ZodType<NoInfer<Value>>, z.ZodType<Value>>, 'reading' | 'response'>;

/** The forms of what goes into headers. */
const headerForms = {
  idempotencyKey: { form: /^[\x21-\x7e]{1,255}$/, message: 'must be 1 to 255 visible ASCII characters' },
  agentId: { form: /^[\x21-\x7e]{1,320}$/, message: 'must be 1 to 320 visible ASCII characters' },
  language: { form: /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/, message: 'must be a language tag, for example es' },
};

/** A call of the contract as a function. Its method comes with the encoding, which depends on the client's options. */
export const callOf =
  <Request, Value>(
    perform: Perform,
    operation: string,
    {
      path,
      request,
      response,
      reading,
    }: Pick<
      ReadOperation<z.ZodType<unknown, Request>, z.ZodType<NoInfer<Value>>, z.ZodType<Value>>,
      'path' | 'request' | 'response' | 'reading'
    >,
    how: { readonly encoding: RequestEncoding; readonly repeat: Repeat },
    /** How to read its answer if a link is asked for; unset: it has no link. */
    linked?: Read<Value>,
  ) =>
  async (
    given: Request,
    { agentId, idempotencyKey, language, returnLink = false, signal }: CallOptions & Partial<SendOptions> = {},
  ): Promise<Value> => {
    const payload = parseRequest(operation, request, given) as Record<string, unknown>;
    for (const [path, value] of Object.entries({ idempotencyKey, agentId, language })) {
      const { form, message } = headerForms[path as keyof typeof headerForms];
      if (value !== undefined && !form.test(value)) throw new InvalidRequestError(operation, [{ path, message }]);
    }
    const asked = returnLink ? linked : undefined;
    const headers = { agentId, idempotencyKey, language, returnLink: asked !== undefined };
    return perform({ operation, path, response, reading, ...asked, ...how, ...headers, payload, signal });
  };

const parseRequest = (operation: string, request: z.ZodType, given: unknown): unknown => {
  const parsed = request.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new InvalidRequestError(
    operation,
    parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
  );
};

/**
 * Checks a request's identifier for use in a path. It may have any form that a service uses, ULID or not, but must not
 * change the path.
 * @throws {InvalidRequestError}
 */
export const idInPath = (operation: string, id: string): string => {
  if (/^[\w-]{1,128}$/.test(id)) return id;
  throw new InvalidRequestError(operation, [{ path: 'id', message: 'must be 1 to 128 letters, digits, hyphens or underscores' }]);
};

/** Whether two identifiers name the same request. The case of a ULID does not matter. */
export const sameId = (a: string, b: string) => a.toUpperCase() === b.toUpperCase();
