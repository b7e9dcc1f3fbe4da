// A request as the service uses it, read from and written to its row.

import { isAppId, requestState } from '../../../contract/index.ts';
import { isLanguage } from '../../../platform/text/languages.ts';
import type { SealedHead } from '../audit/chain.ts';
import { asColumns } from '../audit/trail.ts';
import { isBehaviour } from '../test-numbers.ts';
import type { RequestTable } from './schema.ts';
import type { Details, SealedColumns } from './sealed-columns.ts';

/** The channel of messages to the customer. */
export type Channel = 'email' | 'sms';

export type Request = Readonly<ReturnType<typeof asRequest>>;

/** The reference of an erased customer: no real reference is empty. */
export const erasedRef = '';

/** A stored row that this version cannot have written. */
class UnreadableRow extends Error {
  override readonly name = 'UnreadableRow';
  readonly code = 'unreadable_row';
}

/** The details of an emptied request. */
const emptied: Details = { phoneNumber: undefined, recipients: [], input: {} };

/** @throws {UnreadableRow} */
export const asRequest = (row: RequestTable, { details, results }: SealedColumns) => {
  const state = requestState.safeParse(row.state);
  const { app, channel, language, behaviour } = row;
  if (!isAppId(app) || !state.success || (channel !== 'email' && channel !== 'sms') || !isLanguage(language)) throw new UnreadableRow();
  if (behaviour !== null && !isBehaviour(behaviour)) throw new UnreadableRow();
  // Opened on demand: data tampered with in the database breaks only what needs it.
  let opened: Details | undefined;
  const own = () => {
    opened ??= row.details === null ? emptied : details.open(row.details, row.id);
    return opened;
  };
  return {
    id: row.id,
    accountId: row.account_id,
    app,
    /** Only a pending request ever changes. */
    state: state.data,
    sessionRef: row.session_ref,
    /** Empty once the customer is erased. */
    customerRef: row.customer_ref,
    get phoneNumber() {
      return own().phoneNumber;
    },
    channel: channel as Channel,
    get recipients() {
      return own().recipients;
    },
    /** The customer's language, for messages and for devices that name no supported language. */
    language,
    get input() {
      return own().input;
    },
    get agentId() {
      return own().agentId;
    },
    behaviour: behaviour ?? undefined,
    step: row.step,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    dueAt: row.due_at,
    checks: row.checks,
    resends: row.resends,
    /** When its message was last sent. */
    sentAt: row.sent_at,
    /** When it ended or was withdrawn; `undefined` while it is pending. */
    finishedAt: row.finished_at ?? undefined,
    /** The result record of a finished request. */
    get result(): unknown {
      return row.result === null ? undefined : JSON.parse(results.open(row.result, row.id));
    },
  };
};

/** The hashes of a request's secrets: SHA-256 of the tokens, a keyed one of the code. */
export type RequestSecrets = Pick<RequestTable, 'code_hash' | 'link_hash' | 'ws_token_hash'>;

/** The row of a newly accepted request, with the end of its audit trail. */
export const asRow = (request: Request, secrets: RequestSecrets, head: SealedHead, details: SealedColumns['details']): RequestTable => ({
  id: request.id,
  account_id: request.accountId,
  app: request.app,
  state: request.state,
  session_ref: request.sessionRef,
  customer_ref: request.customerRef,
  channel: request.channel,
  language: request.language,
  details: details.seal(request, request.id),
  addresses: details.digests(request, request.accountId),
  behaviour: request.behaviour ?? null,
  step: request.step,
  created_at: request.createdAt,
  expires_at: request.expiresAt,
  due_at: request.dueAt,
  ...secrets,
  checks: request.checks,
  resends: request.resends,
  sent_at: request.sentAt,
  last_seq: 0,
  finished_at: request.finishedAt ?? null,
  result: null,
  ...asColumns(head),
});
