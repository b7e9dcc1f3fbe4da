// All refusal codes, with status, meaning and remedy. Codes are stable: programs rely on them.

interface Explained {
  readonly status: number;
  /** What it means. */
  readonly means: string;
  /** What the caller can do about it. */
  readonly remedy: string;
  /** Whether the answer says when to come back. */
  readonly waits?: boolean;
}

const again = 'Wait as many seconds as Retry-After says, then send it again.';

export const problems = {
  malformed: {
    status: 400,
    means: 'The address cannot be read: with its Host header, it makes no URL.',
    remedy: 'Send a Host header that names a host, and a path that begins with a slash.',
  },
  malformed_json: { status: 400, means: 'The body is not JSON in UTF-8.', remedy: 'Send what a JSON library writes.' },
  too_deep: {
    status: 400,
    means: 'The body is JSON nested deeper than 32 levels.',
    remedy: 'Send the fields of the operation, which are flat.',
  },
  malformed_idempotency_key: {
    status: 400,
    means: 'The Idempotency-Key is empty, has spaces, or is longer than 255 characters.',
    remedy: 'Use an identifier that you made and kept before sending, such as a ULID or a UUID.',
  },
  bad_signature: {
    status: 400,
    means: "A gateway's webhook or callback is not signed with the shared secret, or not within five minutes of now.",
    remedy: "Compare the secret, the clock and the address that the gateway has with the service's.",
  },
  unauthorized: {
    status: 401,
    means: 'There is no secret key, or it is none of ours any more. Which of the two is not told.',
    remedy: 'Send a valid key of the account as a Bearer token.',
  },
  cross_site: {
    status: 403,
    means: 'A form of a device page was posted from another site.',
    remedy: 'Open the link from the message and go on there.',
  },
  forbidden: { status: 403, means: 'The outbox is for the machine that the service runs on.', remedy: 'Open it there.' },
  not_proven: {
    status: 403,
    means: 'A device asked to set up a passkey before the phone was proven.',
    remedy: 'Go through the steps of the page: the code that proves the phone comes first.',
  },
  not_found: {
    status: 404,
    means:
      'There is nothing at this address, no such request in this account, or no result yet. These look alike, so that identifiers cannot be probed.',
    remedy: 'Ask for a result again later; a request of the account can be looked at with `GET /requests/{id}`.',
  },
  method_not_allowed: { status: 405, means: 'The address takes other methods.', remedy: 'Use one that the Allow header names.' },
  idempotency_key_in_flight: {
    status: 409,
    means: 'The first send with this Idempotency-Key is still being carried out.',
    remedy: 'Wait as Retry-After says and send the same again: the answer will be that of the first.',
    waits: true,
  },
  already_finished: {
    status: 409,
    means: 'The request has ended, so it can be neither withdrawn nor sent again.',
    remedy: 'Read its result.',
  },
  phone_locked: {
    status: 409,
    means: 'So many wrong passcodes were tried for this phone, in this session or in all, that none is sent to it for the rest of a day.',
    remedy:
      'Confirm with the customer in another way; a passkey they use unlocks the phone. An operator can lift the lock at the console, or by `POST /one-time-passcode/unlock`.',
  },
  too_large: {
    status: 413,
    means: 'The body has more bytes than are read: 64 KB for the API.',
    remedy: 'Send the fields of the operation and nothing else.',
  },
  unsupported_media_type: { status: 415, means: 'The body is not said to be JSON.', remedy: 'Send `Content-Type: application/json`.' },
  unsupported_encoding: { status: 415, means: 'The body is compressed.', remedy: 'Send it without Content-Encoding.' },
  invalid_request: {
    status: 422,
    means: 'A field breaks a rule, is missing, is not known, or leads nowhere. `errors` tells which, and what is wrong with it.',
    remedy: 'Put right what `errors` names. Nothing was sent or stored.',
  },
  country_not_allowed: {
    status: 422,
    means: 'The phone number is of a country that no messages are sent to.',
    remedy: 'Reach the customer in another way, or have the operator put the country on the list.',
  },
  idempotency_key_reused: {
    status: 422,
    means: 'The Idempotency-Key was used for another body.',
    remedy: 'Use a new key for a new request.',
  },
  rate_limited: {
    status: 429,
    means: 'Too many calls of this account, or too many messages to this customer.',
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
    means: 'A device has begun to use or set up a passkey too often for one request.',
    remedy: 'Send a new request.',
  },
  internal_error: {
    status: 500,
    means: 'Something went wrong in the service.',
    remedy: 'Send it again with the same Idempotency-Key; tell us its X-Request-Id if it stays.',
  },
  document_damaged: {
    status: 500,
    means: 'A stored document is not the one that was signed, so it is not given out.',
    remedy: 'Tell us the X-Request-Id.',
  },
  audit_damaged: {
    status: 500,
    means: 'The audit trail of the request was tampered with, so it is not certified.',
    remedy: 'Read the trail itself: `fault` tells where it shows. Then find out who can write to the database of the service.',
  },
  channel_unavailable: {
    status: 503,
    means: 'The message needs SMS or e-mail, and the service has no way to send that.',
    remedy: 'Use an app whose messages take the other way, or have the operator configure one.',
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
