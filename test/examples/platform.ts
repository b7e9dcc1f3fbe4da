// A platform at which people sit, as somebody else would write it: it takes signed webhooks, checks who is verified,
// and answers over the way back.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';
import { Webhook } from 'standardwebhooks';

// biome-ignore lint/suspicious/noExplicitAny: JSON of the bot's, whose form is in /handoff/openapi.json
type Json = any;

export interface Answer {
  readonly status: number;
  readonly body: Json;
}

export interface Platform {
  readonly url: string;
  readonly secret: string;
  /** What was posted, each event once, in the order of its coming. */
  readonly events: Json[];
  /** Every post, as it came. */
  readonly posts: string[];
  /** How posts are answered from now on: a status, or by hand. */
  answer: number | ((res: ServerResponse) => void);
  /** Asks the bot. */
  get(path: string): Promise<Answer>;
  post(path: string, body: object): Promise<Answer>;
  /**
   * Checks the assertion of an event with the keys that the bot publishes. @throws when it proves nothing about the
   * event's handoff.
   */
  check(data: Json, issuer: string): Promise<JWTPayload>;
  close(): Promise<void>;
}

/** @param bot where the bot is found, asked when it is called; `key` is its HANDOFF_KEY. */
export const startPlatform = async (bot: () => string, key: string): Promise<Platform> => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const webhook = new Webhook(secret);
  const server = createServer(async (req, res) => {
    let raw = '';
    for await (const chunk of req) raw += chunk;
    // Throws for a body that the bot did not sign.
    const event = webhook.verify(raw, req.headers as Record<string, string>) as Json;
    platform.posts.push(String(req.headers['webhook-id']));
    if (typeof platform.answer === 'function') return platform.answer(res);
    const { answer } = platform;
    if (answer < 300 && !platform.events.some(({ data }) => data.event.id === event.data.event.id)) platform.events.push(event);
    res.statusCode = answer;
    res.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  const ask = async (method: string, path: string, body?: object): Promise<Answer> => {
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) };
    const response = await fetch(`${bot()}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return { status: response.status, body: await response.json() };
  };
  const platform: Platform = {
    url,
    secret,
    events: [],
    posts: [],
    answer: 204,
    get: (path) => ask('GET', path),
    post: (path, body) => ask('POST', path, body),
    check: async ({ assertion, handoff }, issuer) => {
      const keys = createRemoteJWKSet(new URL(`${bot()}/.well-known/jwks.json`));
      const { payload } = await jwtVerify(assertion, keys, { issuer, audience: new URL(url).origin });
      if (payload.cs_handoff !== handoff.id) throw new Error('a proof for another handoff');
      return payload;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return platform;
};
