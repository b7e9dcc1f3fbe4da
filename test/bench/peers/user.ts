// Users of a channel: they post activities to a bot's endpoint.
import { Agent } from 'undici';
import { message } from '../../support/activities.ts';

export interface Users {
  /** Posts a message of the conversation. @throws when the bot does not take it. */
  say(conversation: string, text: string): Promise<void>;
  close(): Promise<void>;
}

/** Users who talk to `POST /api/messages` on this port, and are answered at `serviceUrl`. */
export const makeUsers = (port: number, serviceUrl: string): Users => {
  const agent = new Agent({ connections: 32 });
  let ids = 0;
  return {
    say: async (conversation, text) => {
      ids += 1;
      const activity = message({
        id: `${conversation}-${ids}`,
        serviceUrl,
        conversation: { id: conversation },
        from: { id: `user-of-${conversation}` },
        text,
      });
      const { statusCode, body } = await agent.request({
        origin: `http://127.0.0.1:${port}`,
        path: '/api/messages',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(activity),
      });
      const words = await body.text();
      if (statusCode >= 300) throw new Error(`the bot answered with ${statusCode}: ${words}`);
    },
    close: () => agent.close(),
  };
};
