// A replica of the service in a separate process, which a test can kill.
import { makeLog } from '../../src/platform/log.ts';
import { startService } from '../../src/service/index.ts';

process.on('disconnect', () => process.exit(1));
const options = JSON.parse(process.argv[2] ?? '{}');
const { port, baseUrl, wsUrl, secretKey } = await startService({
  port: 0,
  host: '127.0.0.1',
  demo: true,
  log: makeLog(process.env.LOG_LEVEL ?? 'silent'),
  ...options,
});
process.send?.({ port, baseUrl, wsUrl, secretKey });
