// The contents of a signed document.
import type { DocumentContent } from './content.ts';
import type { Drawn } from './drawn.ts';

/** The printed texts, complete and formatted. */
export interface Sheet {
  readonly content: DocumentContent;
  /** The account's name. */
  readonly account: string;
  readonly signatureHeading: string;
  /** The signer's name; printed as the signature if none was drawn. */
  readonly name: string;
  readonly drawn: Drawn | undefined;
  /** The time of signing, the consent, and the ids of request and text. */
  readonly evidence: readonly string[];
  /** The footer of every page. */
  readonly reference: string;
  readonly pageOf: (page: number, pages: number) => string;
  readonly at: number;
}
