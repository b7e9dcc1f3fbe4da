// The echo bot as the SDK's samples write it: restify, CloudAdapter, nothing else.
import { CloudAdapter, ConfigurationBotFrameworkAuthentication } from 'botbuilder';
import restify from 'restify';
import type { Opened } from '../side-process.ts';

export const open = async (): Promise<Opened> => {
  const adapter = new CloudAdapter(new ConfigurationBotFrameworkAuthentication({}));
  const server = restify.createServer();
  server.use(restify.plugins.bodyParser());
  server.post('/api/messages', async (req: restify.Request, res: restify.Response) => {
    await adapter.process(req as never, res as never, async (context) => {
      if (context.activity.type === 'message') await context.sendActivity(`Echo: ${context.activity.text}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { told: { port: server.address().port }, close: () => server.close() };
};
