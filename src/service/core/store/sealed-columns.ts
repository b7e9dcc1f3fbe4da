// The columns of a request that tell about its customer, as stored: sealed, with keyed digests for finding addresses.
import type { Seal } from '../secrets/seal.ts';

/** The recipient of a message. */
export interface Recipient {
  /** A phone number or an e-mail address, depending on the channel. */
  readonly to: string;
  readonly name: string;
}

/** The customer of a request, the recipients of its messages, and its contents. */
export interface Details {
  readonly phoneNumber: string | undefined;
  readonly recipients: readonly Recipient[];
  /** The app's part, which the app's schema parses. */
  readonly input: unknown;
  /** The agent on whose behalf it was sent, according to the account. */
  readonly agentId?: string | undefined;
}

const detailsContext = (requestId: string) => `details ${requestId}`;
const resultContext = (requestId: string) => `result ${requestId}`;

/** Seals the columns of a request that tell about its customer. */
export type SealedColumns = ReturnType<typeof makeSealedColumns>;

export const makeSealedColumns = ({ seal, open, hashAddress }: Pick<Seal, 'hashAddress' | 'open' | 'seal'>) => ({
  details: {
    seal: ({ phoneNumber, recipients, input, agentId }: Details, requestId: string): string =>
      seal({ phoneNumber, recipients, input, agentId }, detailsContext(requestId)),
    open: (sealed: string, requestId: string): Details => open(sealed, detailsContext(requestId)) as Details,
    /** The digests of its phone number and of its recipients' addresses, separated by spaces. */
    digests: ({ phoneNumber, recipients }: Details, accountId: string): string => {
      const all = new Set([...(phoneNumber === undefined ? [] : [phoneNumber]), ...recipients.map(({ to }) => to)]);
      return [...all].map((address) => hashAddress(accountId, address)).join(' ');
    },
    /** The digest of an address. It differs between accounts. */
    digest: (address: string, accountId: string): string => hashAddress(accountId, address),
  },
  /**
   * The JSON text of a result, which contains the customer's phone number and the address they answered from. It is
   * opened unchanged: the audit trail has the digest of that text.
   */
  results: {
    seal: (text: string, requestId: string): string => seal(text, resultContext(requestId)),
    open: (sealed: string, requestId: string): string => String(open(sealed, resultContext(requestId))),
  },
});
