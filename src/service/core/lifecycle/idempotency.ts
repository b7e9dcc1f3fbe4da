// Idempotency keys: a repeated send under the same key gets the first answer.
import { HttpProblem } from '../../../platform/http/http-problem.ts';
import { sha256 } from '../../../platform/secrets/sealing.ts';
import type { Seal } from '../secrets/seal.ts';
import type { Requests, StoredAnswer } from '../store/requests.ts';

/** A key with what it was given for. */
type Claim = Readonly<Record<'accountId' | 'digest' | 'key', string>>;

export const makeIdempotency = (requests: Pick<Requests, 'answerOf'>, seal: Seal) => {
  const running = new Set<string>();

  const known = async <Answer extends object>({ accountId, key, digest }: Claim): Promise<Answer | undefined> => {
    const stored = await requests.answerOf(accountId, key);
    if (!stored) return undefined;
    if (stored.digest !== digest) throw keyReused();
    return seal.open(stored.answer, contextOf(accountId, key)) as Answer;
  };

  return {
    /**
     * Runs `send` unless its key was used before: then the first answer is given again. `send` is handed what it has to
     * store together with its effects, made by `sealed` from its answer; `duplicate` says that another process stored
     * the key meanwhile.
     * @throws {HttpProblem} 409 while the first send under the key is running, 422 when the key was used for another
     * body.
     */
    once: async <Answer extends object>(
      claim: Claim,
      send: (sealed: (answer: Answer) => StoredAnswer & { key: string }) => Promise<Answer | 'duplicate'>,
    ): Promise<Answer> => {
      const { accountId, key, digest } = claim;
      const name = contextOf(accountId, key);
      if (running.has(name)) throw inFlight();
      running.add(name);
      try {
        const before = await known<Answer>(claim);
        if (before) return before;
        const answer = await send((given) => ({ key, digest, answer: seal.seal(given, name) }));
        if (answer !== 'duplicate') return answer;
        const other = await known<Answer>(claim);
        if (!other) throw inFlight();
        return other;
      } finally {
        running.delete(name);
      }
    },
  };
};

const contextOf = (accountId: string, key: string) => `idempotency ${accountId} ${key}`;

const inFlight = () =>
  new HttpProblem(
    409,
    'idempotency_key_in_flight',
    'The first request with this Idempotency-Key is still being worked on. Ask again in a moment.',
    {
      headers: { 'Retry-After': '1' },
    },
  );
const keyReused = () =>
  new HttpProblem(422, 'idempotency_key_reused', 'This Idempotency-Key was used for another request. Use a new key for a new request.', {
    errors: [{ path: 'Idempotency-Key', message: 'was used with another body' }],
  });

/** Compares bodies regardless of the order of their fields. */
export const digestOf = (app: string, body: unknown) => sha256(`${app}\n${canonical(body)}`).toString('base64url');

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, item) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );

/** A usable key, or `undefined` when none was given. @throws {HttpProblem} 400 for one that cannot be used. */
export const idempotencyKey = (header: string | string[] | undefined): string | undefined => {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && /^[\x21-\x7e]{1,255}$/.test(header)) return header;
  throw new HttpProblem(400, 'malformed_idempotency_key', 'Idempotency-Key must be one word of 255 visible ASCII characters at most.');
};
