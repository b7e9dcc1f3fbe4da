// A service's sealing, for tests that stand in for it, or for somebody who has its pepper.
import { keptSecret } from '../../src/platform/secrets/kept-secret.ts';
import { makeSeal, type Seal } from '../../src/service/core/secrets/seal.ts';
import { makeSealedColumns } from '../../src/service/core/store/sealed-columns.ts';
import { sharedPepper } from './each-database.ts';
import type { TestService } from './running-service.ts';
import { statement } from './service-database.ts';

type Place = Pick<TestService, 'databaseUrl' | 'dataDir'>;

export const sealOf = ({ databaseUrl, dataDir }: Place): Seal =>
  makeSeal(databaseUrl === undefined ? keptSecret(dataDir, 'service.pepper') : sharedPepper);

/** Replaces a request's details by another text, sealed as the service would. */
export const changeInput = async (service: Place, requestId: string, from: string, to: string): Promise<void> => {
  const { seal, open } = makeSealedColumns(sealOf(service)).details;
  const [row] = await statement(service, 'select details from requests where id = ?', requestId);
  const details = open(row?.details, requestId);
  const input = JSON.parse(JSON.stringify(details.input).replace(from, to));
  await statement(service, 'update requests set details = ? where id = ?', seal({ ...details, input }, requestId), requestId);
};
