// Documents as a part of the service: the key that seals them, what a signature produces, and the links to signed
// documents.
import type { Accounts } from '../core/catalogue/accounts.ts';
import { taskOf } from '../core/lifecycle/endings.ts';
import type { Opening, Plugin } from '../core/plugin.ts';
import type { Ports } from '../core/ports.ts';
import { makeMakeDocument, makeSealFile, type SealFile } from '../pdf/sealing.ts';
import { keptSigningKey, readSigningKey, type SigningFiles } from '../pdf/signing-key.ts';
import { addDocumentRoutes, makeDocumentUrl, makeKeepsake } from './routes.ts';

export interface Documents extends Plugin<'documentUrl' | 'keepsakes' | 'produce'> {
  readonly sealFile: SealFile;
}

/**
 * @param signing - unset: a development pair, kept in the data folder
 * @throws {SettingsError} when the key or its certificate cannot be used.
 */
export const openDocuments = async (opening: Opening, signing: SigningFiles | undefined): Promise<Documents> => {
  const { dataDir, accounts, seal, texts, clock, limits } = opening;
  const signingKey = signing ? readSigningKey(signing, clock.now()) : await keptSigningKey(dataDir, ownerOf(accounts), clock.now());
  const sealFile = makeSealFile(signingKey);
  const makeDocument = makeMakeDocument(sealFile);
  const produce: Ports['produce'] = async (request, words = texts(request.language), entered = {}) =>
    taskOf(request).produce(entered, {
      request,
      texts: words,
      account: accounts.of(request.accountId).account,
      at: clock.now(),
      makeDocument,
      seal,
    });
  const documentUrl = makeDocumentUrl({ ...opening, days: limits.documentLinkDays });
  return {
    sealFile,
    ports: { documentUrl, produce, keepsakes: { 'document-signature': makeKeepsake(documentUrl) } },
    serve: () => {
      addDocumentRoutes(opening);
      return {};
    },
  };
};

/** In whose name the development certificate is made. */
const ownerOf = ({ all: [first, ...others] }: Accounts) => (first && others.length === 0 ? first.account.name : 'Countersign');
