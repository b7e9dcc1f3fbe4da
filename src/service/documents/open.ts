// What makes files and leads to them, put together: the key that they are sealed with, what a success produces, and the links.
import type { Clock } from '../../platform/clock.ts';
import type { Accounts } from '../core/catalogue/accounts.ts';
import type { Language } from '../core/languages.ts';
import { taskOf } from '../core/lifecycle/endings.ts';
import type { Seal } from '../core/seal.ts';
import type { Request } from '../core/store/request.ts';
import type { Texts } from '../core/texts.ts';
import type { Tickets } from '../core/tickets.ts';
import { makeDocumentUrl, makeKeepsake } from './links.ts';
import { makeMakeDocument, makeSealFile } from './sealing.ts';
import { keptSigningKey, readSigningKey, type SigningFiles } from './signing-key.ts';

export interface OpenDocumentsOptions {
  /** Unset: a development pair, kept in `dataDir`. */
  readonly signing: SigningFiles | undefined;
  readonly dataDir: string;
  readonly accounts: Accounts;
  readonly tickets: Tickets;
  readonly publicUrl: () => URL;
  readonly seal: Seal;
  readonly texts: (language: Language) => Texts;
  readonly clock: Clock;
  /** How long links are good for, in days. */
  readonly days: number;
}

/** @throws {SettingsError} when the key or its certificate cannot be used. */
export const openDocuments = async (options: OpenDocumentsOptions) => {
  const { signing, dataDir, accounts, tickets, publicUrl, seal, texts, clock, days } = options;
  const signingKey = signing ? readSigningKey(signing, clock.now()) : await keptSigningKey(dataDir, ownerOf(accounts), clock.now());
  const sealFile = makeSealFile(signingKey);
  const makeDocument = makeMakeDocument(sealFile);
  /** What else a success stores, made of what was entered. */
  const produce = async (request: Request, words = texts(request.language), entered: Readonly<Record<string, string>> = {}) =>
    taskOf(request).produce(entered, {
      request,
      texts: words,
      account: accounts.of(request.accountId).account,
      at: clock.now(),
      makeDocument,
      seal,
    });
  const documentUrl = makeDocumentUrl({ tickets, publicUrl, clock, days });
  return { sealFile, produce, documentUrl, keepsake: makeKeepsake(documentUrl) };
};

/** In whose name the development certificate is made. */
const ownerOf = ({ all: [first, ...others] }: Accounts) => (first && others.length === 0 ? first.account.name : 'Countersign');
