// The least an echo bot can be: restify in, undici out, and no SDK.
import restify from 'restify';
import { Agent } from 'undici';
import type { Opened } from '../side-process.ts';

interface Received {
  readonly id: string;
  readonly type: string;
  readonly text: string;
  readonly channelId: string;
  readonly serviceUrl: string;
  readonly conversation: { readonly id: string };
  readonly from: object;
  readonly recipient: object;
}

export const open = async (): Promise<Opened> => {
  const agent = new Agent();
  const server = restify.createServer();
  server.use(restify.plugins.bodyParser());
  server.post('/api/messages', async (req: restify.Request, res: restify.Response) => {
    const { id, type, text, channelId, serviceUrl, conversation, from, recipient }: Received = req.body;
    if (type === 'message') {
      const reply = { type, text: `Echo: ${text}`, channelId, serviceUrl, conversation, from: recipient, recipient: from, replyToId: id };
      const { body } = await agent.request({
        origin: serviceUrl,
        path: `/v3/conversations/${conversation.id}/activities/${id}`,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(reply),
      });
      await body.json();
    }
    res.send(200);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    told: { port: server.address().port },
    close: async () => {
      server.close();
      await agent.close();
    },
  };
};
