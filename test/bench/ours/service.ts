// The reference service, as it is started, with its state in a folder or, as one of several replicas, in a Postgres.
import { makeLog } from '../../../src/platform/log.ts';
import { type ServiceOptions, startService } from '../../../src/service/index.ts';
import type { Opened } from '../side-process.ts';

export const open = async (where: Pick<ServiceOptions, 'dataDir'> & Partial<ServiceOptions>): Promise<Opened> => {
  const { baseUrl, secretKey, settled, close } = await startService({
    ...where,
    port: 0,
    host: '127.0.0.1',
    demo: true,
    log: makeLog('warn'),
  });
  return { told: { url: `${baseUrl}/payments/send`, secretKey }, orders: { settled }, close };
};
