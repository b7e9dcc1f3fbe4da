import { stopsWith } from '../support/parents.ts';
import { openWorkshop, type Workshop } from '../support/process.ts';
import { root } from '../tiers.ts';

describe('a program that npm has started in the repository', function () {
  this.timeout(120_000);
  let workshop: Workshop;
  beforeEach(() => {
    workshop = openWorkshop();
  });
  afterEach(() => workshop.close());

  const commands = [
    { command: ['npm', 'start'], line: 'bot endpoint' },
    { command: ['npm', 'run', 'bot'], line: 'bot endpoint', more: { SERVICE_BASE_URL: 'http://127.0.0.1:9', SERVICE_SECRET_KEY: 'key' } },
    { command: ['npm', 'run', 'service'], line: 'console' },
  ];
  for (const { command, line, more } of commands)
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const)
      it(`stops with it, and leaves ports and database: ${command.join(' ')}, ${signal}`, async () => {
        const settings = { ...(await workshop.settings(more)), LOG_LEVEL: 'info' };
        await stopsWith(signal, { command, cwd: root, settings, line });
      });
});
