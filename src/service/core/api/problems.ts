// All refusal codes, with status, meaning and remedy. Codes are stable: programs rely on them.

/** What a code means, and what the caller can do about it. `waits`: whether the answer says when to come back. */
type Explained = { readonly status: number; readonly means: string; readonly remedy: string; readonly waits?: boolean };

const again = 'Wait as many seconds as Retry-After says, then send it again.';

export const problems = {
  malformed: {
    status: 400,
    means: 'The address cannot be read: it is no valid URL with its Host header.',
    remedy: 'Send a Host header that names a host, and a path that begins with a slash.',
  },
  malformed_json: { status: 400, means: 'The body is not JSON in UTF-8.', remedy: 'Use a JSON library to write it.' },
  too_deep: {
    status: 400,
    means: 'The body is JSON nested deeper than 32 levels.',
    remedy: 'Send the fields of the operation, which are flat.',
  },
  malformed_idempotency_key: {
    status: 400,
    means: 'The Idempotency-Key is empty, has spaces, or is longer than 255 characters.',
    remedy: 'Use an identifier that you generated and stored before sending, such as a ULID or a UUID.',
  },
  bad_signature: {
    status: 400,
    means: "A gateway's webhook or callback is not signed with the shared secret, or not within five minutes of now.",
    remedy: "Compare the secret, the clock and the address that the gateway has with the service's.",
  },
  unauthorized: {
    status: 401,
    means: 'The secret key is missing, wrong or expired. The answer does not say which.',
    remedy: 'Send a valid key of the account as a Bearer token.',
  },
  cross_site: {
    status: 403,
    means: 'A form of a device page was posted from another site.',
    remedy: 'Open the link from the message and continue there.',
  },
  forbidden: { status: 403, means: 'The outbox is only available on the machine that the service runs on.', remedy: 'Open it there.' },
  not_proven: {
    status: 403,
    means: 'A device asked to set up a passkey before the phone was confirmed.',
    remedy: 'Follow the steps of the page: the code that confirms the phone comes first.',
  },
  not_found: {
    status: 404,
    means:
      'There is nothing at this address, no such request in this account, or no result yet. These look alike, so that identifiers cannot be probed.',
    remedy: 'Ask for a result again later; a request of the account can be looked at with `GET /requests/{id}`.',
  },
  method_not_allowed: { status: 405, means: 'The address does not accept this method.', remedy: 'Use one from the Allow header.' },
  idempotency_key_in_flight: {
    status: 409,
    means: 'The first send with this Idempotency-Key is still being carried out.',
    remedy: 'Wait as Retry-After says and repeat the call: you get the answer to the first one.',
    waits: true,
  },
  already_finished: {
    status: 409,
    means: 'The request has ended, so it can be neither withdrawn nor sent again.',
    remedy: 'Read its result.',
  },
  phone_locked: {
    status: 409,
    means: 'Too many wrong passcodes were tried for this phone, in this session or in all, so none is sent to it for up to a day.',
    remedy:
      'Confirm with the customer in another way; a passkey they use unlocks the phone. An operator can lift the lock at the console, or by `POST /one-time-passcode/unlock`.',
  },
  too_large: {
    status: 413,
    means: 'The body is too large. The limit of the API is 64 KB.',
    remedy: 'Send only the fields of the operation.',
  },
  unsupported_media_type: { status: 415, means: 'The body is not declared as JSON.', remedy: 'Send `Content-Type: application/json`.' },
  unsupported_encoding: { status: 415, means: 'The body is compressed.', remedy: 'Send it without Content-Encoding.' },
  invalid_request: {
    status: 422,
    means: 'A field is invalid, missing or unknown, or names something that does not exist. `errors` says which, and what is wrong.',
    remedy: 'Correct the fields in `errors`. Nothing was sent or stored.',
  },
  country_not_allowed: {
    status: 422,
    means: 'The phone number is from a country that messages may not be sent to.',
    remedy: 'Reach the customer in another way, or ask the operator to allow the country.',
  },
  idempotency_key_reused: {
    status: 422,
    means: 'The Idempotency-Key was used for another body.',
    remedy: 'Use a new key for a new request.',
  },
  rate_limited: {
    status: 429,
    means: 'Too many calls by this account, or too many messages to this customer.',
    remedy: again,
    waits: true,
  },
  cooldown: { status: 429, means: 'The message was sent a moment ago.', remedy: again, waits: true },
  too_many_failures: {
    status: 429,
    means: 'Too many wrong passcodes were tried for this phone within an hour.',
    remedy: again,
    waits: true,
  },
  too_many_ceremonies: {
    status: 429,
    means: 'A device has started to use or set up a passkey too often for one request.',
    remedy: 'Send a new request.',
  },
  internal_error: {
    status: 500,
    means: 'Something went wrong in the service.',
    remedy: 'Repeat it with the same Idempotency-Key. If that does not help, tell us its X-Request-Id.',
  },
  document_damaged: {
    status: 500,
    means: 'A stored document is not the one that was signed, so it cannot be downloaded.',
    remedy: 'Tell us the X-Request-Id.',
  },
  audit_damaged: {
    status: 500,
    means: 'The audit trail of the request was tampered with, so it is not certified.',
    remedy: 'Read the trail itself: `fault` says where it shows. Then find out who can write to the service’s database.',
  },
  channel_unavailable: {
    status: 503,
    means: 'The message needs SMS or e-mail, and the service is not configured to send it.',
    remedy: 'Use an app whose messages go by the other channel, or ask the operator to configure this one.',
  },
  unavailable: { status: 503, means: 'The service, or something that it needs, cannot do this now.', remedy: again, waits: true },
} as const satisfies Record<string, Explained>;

export type ProblemCode = keyof typeof problems;

/** The codes, in the order of their statuses. */
export const problemCodes = Object.keys(problems) as readonly ProblemCode[];

/** The description of a code. */
export const explained = (code: ProblemCode): Explained => problems[code];

/** The address of a code's explanation, below the service's address. */
export const problemPath = (code: string) => `/docs#code-${code}`;
