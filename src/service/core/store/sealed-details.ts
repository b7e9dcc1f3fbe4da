// What a request says about its customer, as stored: sealed, with keyed digests by which its addresses are found.
import type { Seal } from '../seal.ts';

/** Who a message goes to. */
export interface Recipient {
  /** A phone number or an e-mail address, as the channel needs it. */
  readonly to: string;
  readonly name: string;
}

/** Who a request is for, where its messages go, and what it is about. */
export interface Details {
  readonly phoneNumber: string | undefined;
  readonly recipients: readonly Recipient[];
  /** The app's own part; the app's own schema reads it back. */
  readonly input: unknown;
  /** Who asked for it in the customer's stead, as the account says. */
  readonly agentId?: string | undefined;
}

export interface SealedDetails {
  seal(details: Details, requestId: string): string;
  open(sealed: string, requestId: string): Details;
  /** The digests of its phone number and of where its messages go, with spaces between. */
  digests(details: Details, accountId: string): string;
  /** The digest of one address. Two accounts never share one. */
  digest(address: string, accountId: string): string;
}

const contextOf = (requestId: string) => `details ${requestId}`;

export const makeSealedDetails = ({ seal, open, hashAddress }: Pick<Seal, 'hashAddress' | 'open' | 'seal'>): SealedDetails => ({
  seal: ({ phoneNumber, recipients, input, agentId }, requestId) => seal({ phoneNumber, recipients, input, agentId }, contextOf(requestId)),
  open: (sealed, requestId) => open(sealed, contextOf(requestId)) as Details,
  digests: ({ phoneNumber, recipients }, accountId) => {
    const all = new Set([...(phoneNumber === undefined ? [] : [phoneNumber]), ...recipients.map(({ to }) => to)]);
    return [...all].map((address) => hashAddress(accountId, address)).join(' ');
  },
  digest: (address, accountId) => hashAddress(accountId, address),
});
