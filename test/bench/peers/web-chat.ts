// Customers in the web chat: they begin a conversation over Direct Line, speak, and see what is said.
import { Agent } from 'undici';
import WebSocket from 'ws';
import type { Side } from '../side.ts';

export interface WebChat {
  /** Says something. Resolves when the bot's reply is stored. @throws when the bot does not take it. */
  say(text: string): Promise<void>;
  /** Opens the stream and hears of its frames, from the beginning of the conversation. */
  listen(hear: (frame: string) => void): Promise<void>;
  close(): void;
}

/** Opens conversations with the bot of a side. */
export const makeWebChats = ({ told, ask }: Side) => {
  const origin = `http://127.0.0.1:${told.port}`;
  const agent = new Agent({ connections: 64 });
  const post = async (path: string, token: string, body: object) => {
    const answer = await agent.request({
      origin,
      path: `/v3/directline${path}`,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    const words = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`the bot answered with ${answer.statusCode}: ${words}`);
    return JSON.parse(words) as Record<string, string>;
  };
  return {
    begin: async (): Promise<WebChat> => {
      const token = (await ask('token')) as string;
      const { conversationId = '', streamUrl = '' } = await post('/conversations', token, {});
      let said = 0;
      let stream: WebSocket | undefined;
      return {
        say: async (text) => {
          said += 1;
          const channelData = { clientActivityID: `said-${said}` };
          await post(`/conversations/${conversationId}/activities`, token, { type: 'message', text, channelData });
        },
        listen: (hear) => {
          const socket = new WebSocket(streamUrl, { perMessageDeflate: false });
          stream = socket;
          socket.on('message', (data) => hear(String(data)));
          return new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
        },
        close: () => stream?.terminate(),
      };
    },
    close: () => agent.close(),
  };
};
