// One hostile request, and what may be answered to it.
import type { Chance } from '../faults/random.ts';
import { nonsense } from '../support/nonsense.ts';
import { payloads } from '../support/payloads.ts';

export interface Attack {
  readonly at: 'bot' | 'service';
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** The statuses that it may be answered with. */
  readonly answers: readonly number[];
  /** Whether the server may hang up while it is still being sent: what is too large is not read to its end. */
  readonly cut?: boolean;
}

/** What an attacker knows: the addresses, and with them a customer's own rights in one chat and on one link. */
export interface Known {
  readonly secretKey: string;
  readonly conversation: { readonly id: string; readonly token: string };
  readonly linkPath: string;
}

/** Makes one request of its kind. */
export type Kind = (chance: Chance, known: Known) => Attack;

export const json = { 'content-type': 'application/json' } as const;

const strange = [...nonsense.map(([, text]) => text), ...payloads.map(({ text }) => text)].filter((text) => text.length < 1000);

/** Text that nobody asked for, or letters at random. */
export const junk = (chance: Chance): string =>
  chance.happens(0.5)
    ? chance.pick(strange)
    : Buffer.from(Array.from({ length: chance.between(1, 40) }, () => chance.between(0, 256))).toString('latin1');

/** The same in a path or a header, where only some letters can stand. */
export const plainJunk = (chance: Chance): string => encodeURIComponent(junk(chance).toWellFormed()).slice(0, 300) || 'x';

/** Letters of a token. */
export const tokenLike = (chance: Chance, length = chance.between(1, 200)): string =>
  Array.from({ length }, () => 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'[chance.between(0, 64)]).join('');

const nested = (open: string, close: string, levels: number) => `${open.repeat(levels)}1${close.repeat(levels)}`;

interface BadBody {
  readonly body: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly cut?: boolean;
}

/** Bodies that no JSON operation takes, whatever it is. `most` is how many bytes are read. */
export const badBody = (chance: Chance, most: number): BadBody => {
  switch (chance.between(0, 11)) {
    case 0:
      return { body: '{"a":', headers: json };
    case 1:
      return { body: Buffer.from(Array.from({ length: chance.between(1, 300) }, () => chance.between(128, 256))), headers: json };
    case 2:
      return { body: nested('[', ']', chance.between(33, 5000)), headers: json };
    case 3:
      return { body: nested('{"a":', '}', chance.between(33, 3000)), headers: json };
    case 4:
      // Rare, since it is what costs the attacker most.
      return chance.happens(0.1)
        ? { body: `{"a":"${'x'.repeat(most + chance.between(1, 64 * 1024))}"}`, headers: json, cut: true }
        : { body: '{"a":1}}', headers: json };
    case 5:
      return { body: '{}', headers: { ...json, 'content-encoding': chance.pick(['gzip', 'br', 'deflate', 'x']) } };
    case 6:
      return {
        body: '<a/>',
        headers: { 'content-type': chance.pick(['text/xml', 'text/plain', 'application/octet-stream', 'image/png']) },
      };
    case 7:
      return { body: JSON.stringify(chance.pick<unknown>([[], 7, null, true, 'x', [{}], -0.1])), headers: json };
    case 8:
      return { body: '{"__proto__":{"polluted":true},"constructor":{"prototype":{}}}', headers: json };
    case 9:
      return { body: JSON.stringify({ [junk(chance)]: junk(chance), phoneNumber: chance.between(0, 9) }), headers: json };
    default:
      return { body: JSON.stringify(Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, index]))), headers: json };
  }
};

/** Every status that a refusal of a body has. */
export const ofBodies = [400, 413, 415, 422] as const;
