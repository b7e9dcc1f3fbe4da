// What a signed document says on paper, and the port that makes a sealed file of it.
import type { DocumentContent } from './content.ts';
import type { Drawn } from './drawn.ts';

/** What is printed, all of it in words that are ready to be read. */
export interface Sheet {
  readonly content: DocumentContent;
  /** Whose document it is. */
  readonly account: string;
  readonly signatureHeading: string;
  /** The signer's name; drawn in place of a signature where there is none. */
  readonly name: string;
  readonly drawn: Drawn | undefined;
  /** When it was signed, what was agreed to, and what names the request and the text. */
  readonly evidence: readonly string[];
  /** What names the document at the foot of every page. */
  readonly reference: string;
  readonly pageOf: (page: number, pages: number) => string;
  readonly at: number;
}

/** Prints a sheet and seals it. */
export type MakeDocument = (sheet: Sheet) => Promise<Buffer>;
