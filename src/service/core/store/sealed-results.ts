// Result records as stored: sealed, since they contain the customer's phone number and the address they answered from.
import type { Seal } from '../secrets/seal.ts';

/** Seals the JSON text of a request's result, and opens it unchanged: the audit trail has the digest of that text. */
export type SealedResults = ReturnType<typeof makeSealedResults>;

const contextOf = (requestId: string) => `result ${requestId}`;

export const makeSealedResults = ({ seal, open }: Pick<Seal, 'open' | 'seal'>) => ({
  seal: (text: string, requestId: string): string => seal(text, contextOf(requestId)),
  open: (sealed: string, requestId: string): string => {
    const text = open(sealed, contextOf(requestId));
    return String(text);
  },
});
