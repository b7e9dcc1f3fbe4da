// The reference service, as it is started, with its state in a folder.
import { makeLog } from '../../../src/platform/log.ts';
import { startService } from '../../../src/service/index.ts';
import type { Opened } from '../side-process.ts';

export const open = async ({ dataDir }: { readonly dataDir: string }): Promise<Opened> => {
  const { baseUrl, secretKey, settled, close } = await startService({
    port: 0,
    host: '127.0.0.1',
    dataDir,
    demo: true,
    log: makeLog('warn'),
  });
  return { told: { url: `${baseUrl}/payments/send`, secretKey }, orders: { settled }, close };
};
