// How a request is encoded: its method, and whether its fields are a JSON body or the query.

/**
 * How bootstraps are encoded: as specified (GET with a JSON body) or, for proxies that drop such bodies, in the query
 * or by POST.
 */
export type BootstrapMode = 'body' | 'query' | 'post';

export type RequestEncoding = typeof post | typeof get | typeof getWithBody;

/** Every send and check. */
export const post = { method: 'POST', fields: 'body' } as const;
/** Calls that are fully described by their path. */
export const get = { method: 'GET', fields: 'query' } as const;
const getWithBody = { method: 'GET', fields: 'body' } as const;
const getWithQuery = get;

/** Bootstraps, specified as GET with a JSON body. */
export const bootstrapEncoding = { body: getWithBody, query: getWithQuery, post } satisfies Record<BootstrapMode, RequestEncoding>;
/** The enrolment check of passkeys, specified as POST. */
export const enrolmentEncoding = { body: post, query: getWithQuery, post } satisfies Record<BootstrapMode, RequestEncoding>;
/**
 * The configuration of passkeys is the GET of the same path, so it cannot become a POST. Without GET bodies, its fields
 * go into the query.
 */
export const configurationEncoding = { body: getWithBody, query: getWithQuery, post: getWithQuery } satisfies Record<
  BootstrapMode,
  RequestEncoding
>;

/** The parts of an HTTP request that vary. */
export interface Message {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

/**
 * Puts the fields where the encoding says. Without fields there is neither body nor query. A `+` in a query becomes
 * `%2B`, since a bare one means a space.
 */
export const compose = ({ method, fields }: RequestEncoding, path: string, payload: Readonly<Record<string, unknown>> = {}): Message => {
  const given = Object.entries(payload).filter(([, value]) => value !== undefined);
  if (given.length === 0) return { method, path };
  return fields === 'body'
    ? { method, path, body: JSON.stringify(payload) }
    : { method, path: `${path}?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}` };
};
