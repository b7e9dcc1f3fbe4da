// Audit trails for the account and the console: read, checked, and certified.

import type { SealFile } from '../../pdf/sealing.ts';
import type { Opening, Plugin } from '../plugin.ts';
import { makeMakeCertificate } from './certificate.ts';
import { type Certify, makeCertify } from './certify.ts';
import { addAuditOperations } from './operations.ts';
import { makeReadTrail, type ReadTrail } from './report.ts';

export interface Audit extends Plugin {
  readonly readTrail: ReadTrail;
  readonly certify: Certify;
}

export const openAudit = (opening: Opening, sealFile: SealFile): Audit => {
  const readTrail = makeReadTrail(opening);
  const certify = makeCertify({ ...opening, makeCertificate: makeMakeCertificate({ ...opening, sealFile }) });
  return {
    ports: {},
    readTrail,
    certify,
    serve: ({ add }) => {
      addAuditOperations({ ...opening, add, requests: opening.storage.requests, readTrail, certify });
      return {};
    },
  };
};
