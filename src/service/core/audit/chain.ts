// The audit trail of a request as a chain: every entry contains the digest of the one before, so that none can be
// changed, moved or removed unnoticed.
import { type AuditTrail, finalEvents } from '../../../contract/index.ts';
import { sha256 } from '../../../platform/secrets/sealing.ts';
import { iso } from '../../../platform/time/clock.ts';
import type { AuditTable } from '../store/schema.ts';
import type { Act, By, Facts } from './actions.ts';

/** An entry as stored. */
export type Entry = Omit<AuditTable, 'request_id'>;

/** The end of a chain. */
export type Head = Pick<Entry, 'hash' | 'seq'>;

/** The end of a chain, stored apart from the entries, with its seal. */
export type SealedHead = Head & { readonly seal: string };

/** The beginning of every chain. */
export const origin: Head = { seq: 0, hash: '0'.repeat(64) };

/** The latest valid instant (ECMA-262, 21.4.1.1). */
const latest = 8.64e15;

/** An instant as the interface reports it. A tampered row may hold an invalid one, which is reported as the epoch. */
export const instantOf = (at: number): string => iso(Math.abs(at) <= latest ? at : 0);

/**
 * An entry's digest: SHA-256, in hexadecimal, of the JSON array of the request's identifier and the entry's fields as
 * the interface returns them, with `detail` as its JSON text. Anybody who has the entries can compute it.
 */
const hashOf = (requestId: string, { seq, at, actor, action, detail, ip, user_agent, previous }: Omit<Entry, 'hash'>): string =>
  sha256(JSON.stringify([requestId, seq, instantOf(at), actor, action, detail, ip, user_agent, previous])).toString('hex');

/** The entries that continue a chain from its head, in order. */
export const chained = (requestId: string, head: Head, acts: readonly Act[], at: number): Entry[] => {
  let last = head;
  return acts.map(({ by, action, facts = {} }) => {
    const entry = {
      seq: last.seq + 1,
      at,
      actor: by.actor,
      action,
      detail: JSON.stringify(Object.fromEntries(Object.entries(facts).sort(([one], [other]) => (one < other ? -1 : 1)))),
      ip: by.ip ?? null,
      user_agent: by.userAgent ?? null,
      previous: last.hash,
    };
    const hash = hashOf(requestId, entry);
    last = { seq: entry.seq, hash };
    return { ...entry, hash };
  });
};

/**
 * The fault of a trail, and the entry at which it shows. `missing`: the entry is missing. `changed`: it does not match
 * its digest. `moved`: it does not follow the one before. `unsealed`: the chain is intact, but not this service's.
 * `result`: it records another ending than the request has.
 */
export type TrailFault = NonNullable<AuditTrail['fault']>;

/** The facts that identify a person, or link their requests. */
const personal = ['customerRef', 'passkey', 'sessionRef', 'subject'];

/**
 * The entries without the facts that identify a person or their location. They keep their digests, which no longer
 * match, so that the chain holds; the entry of the erasure records the digests of the remaining data, {@link erasing}.
 */
export const redacted = (entries: readonly Entry[]): Entry[] =>
  entries.flatMap((entry) => {
    const facts = Object.entries(JSON.parse(entry.detail) as Facts).filter(([name]) => !personal.includes(name));
    const detail = JSON.stringify(Object.fromEntries(facts));
    const away = entry.actor === 'customer' && (entry.ip !== null || entry.user_agent !== null);
    if (detail === entry.detail && !away) return [];
    return [{ ...entry, detail, ...(away && { ip: null, user_agent: null }) }];
  });

/**
 * What an erasure's entry records: the digest of each entry after the erasure, under `entry <seq>`. The erasure's entry
 * is itself chained and sealed.
 */
export const erasing = (requestId: string, left: readonly Entry[], by: By): Act => ({
  by,
  action: 'request.erased',
  facts: Object.fromEntries(left.map((entry) => [`entry ${entry.seq}`, hashOf(requestId, entry)])),
});

/** The digests of entries after erasures. @param entries - authentic ones only */
const leftBy = (entries: readonly Entry[]): Facts =>
  Object.assign({}, ...entries.filter(({ action }) => action === 'request.erased').map(({ detail }) => JSON.parse(detail) as Facts));

/** Checks a chain from its beginning. Returns the first fault; `undefined` if there is none. */
export const faultIn = (
  requestId: string,
  entries: readonly Entry[],
  head: SealedHead,
  isSealed: (text: string, seal: string) => boolean,
): TrailFault | undefined => {
  let last = origin;
  /**
   * Entries that do not match their digests, because of an erasure or of tampering. Which of the two can be decided
   * once the rest is known to be authentic.
   */
  const altered: Entry[] = [];
  const first = (seq: number, reason: TrailFault['reason']): TrailFault =>
    altered[0] ? { seq: altered[0].seq, reason: 'changed' } : { seq, reason };
  for (const entry of entries) {
    const seq = last.seq + 1;
    if (entry.seq !== seq) return first(seq, 'missing');
    if (entry.hash !== hashOf(requestId, entry)) altered.push(entry);
    if (entry.previous !== last.hash) return first(seq, 'moved');
    last = entry;
  }
  // Every request has a first entry; without any entry, nothing can be trusted.
  if (last.seq < Math.max(1, head.seq)) return first(last.seq + 1, 'missing');
  if (last.seq !== head.seq || last.hash !== head.hash || !isSealed(sealedText(requestId, head), head.seal)) {
    return first(last.seq, 'unsealed');
  }
  const left = leftBy(entries.filter((entry) => !altered.includes(entry)));
  const changed = altered.find((entry) => left[`entry ${entry.seq}`] !== hashOf(requestId, entry));
  return changed && { seq: changed.seq, reason: 'changed' };
};

/**
 * What the last entry of a finished request records of its result: the SHA-256 of the stored record, in hexadecimal.
 */
export const resultDigest = (stored: string): string => sha256(stored).toString('hex');

/** Checks a request's ending, with its result as stored, against its trail. Returns the entry that differs, or `undefined`. */
export const faultInEnding = (
  entries: readonly Entry[],
  { state, result }: { readonly state: string; readonly result: string | null },
): TrailFault | undefined => {
  const ending = entries.findLast(({ action }) => action === 'request.cancelled' || Object.hasOwn(finalEvents, action));
  const shown = ending === undefined ? 'pending' : ((finalEvents as Record<string, string>)[ending.action] ?? 'cancelled');
  const digest = ending && (JSON.parse(ending.detail) as Facts).result;
  // The result is erased with the customer; its digest in the trail stays, for those who kept a copy.
  const erased = entries.some(({ action }) => action === 'request.erased');
  const sameResult = erased ? result === null : digest === (result === null ? undefined : resultDigest(result));
  const same = shown === state && sameResult;
  return same ? undefined : { seq: ending?.seq ?? entries.length, reason: 'result' };
};

/** The text that a head's seal covers. */
export const sealedText = (requestId: string, { seq, hash }: Head): string => `${requestId}\n${seq}\n${hash}`;
