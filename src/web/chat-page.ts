// The bot's pages: the chat page at `/`, its assets, its token, and the record that customers can save.
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { isSameOrigin, networkOf } from '../platform/http/client-address.ts';
import { HttpProblem } from '../platform/http/http-problem.ts';
import type { HttpServer, RouteOptions } from '../platform/http/http-server.ts';
import { limitRate } from '../platform/limits.ts';
import { addAssets, sharedFiles } from '../platform/pages/assets.ts';
import { makeLookOf } from '../platform/pages/look.ts';
import { rates } from '../platform/rates.ts';
import { withoutSecrets } from '../platform/text/possible-codes.ts';
import { addChatToken } from './chat-token.ts';
import { addEmbed } from './embed.ts';
import type { ChatPageOptions } from './options.ts';
import { aboutPage } from './pages/about.ts';
import { chatModules, chatPage, chatStyles } from './pages/chat.ts';
import { textsWith } from './texts.ts';

/** The addresses of the chat page's styles and scripts, for pages that show parts of it. */
export type ChatAssets = Readonly<Record<'cards.css' | 'looks.js' | 'webchat.js', string>>;

const here = (name: string) => new URL(`assets/${name}`, import.meta.url);

/** Web Chat's script (decision 0052): of the build, or else the one that a clone makes by the same function and keeps. */
const webChat = async (): Promise<URL> => {
  const built = here('webchat.js');
  if (existsSync(built)) return built;
  // By a variable, so that a bundle does not follow it.
  const maker = new URL('../../.build/web-chat.ts', import.meta.url).href;
  const { keptWebChat }: { keptWebChat(): Promise<URL> } = await import(maker);
  return keptWebChat();
};

/**
 * Adds the chat page, `/embed.js`, `/privacy` and `/terms`, their assets and `POST /chat/token` to the bot's server;
 * returns the addresses of the assets. Rejects if a file of the page is missing.
 */
export const addChatPage = async (server: HttpServer, options: ChatPageOptions): Promise<ChatAssets> => {
  const { fallbackLanguage = 'en', ownTexts = {}, theme = {}, embedOrigins = [], framedAt } = options;
  const assets = await addAssets(server, [
    ...sharedFiles,
    ...chatStyles.map((name) => ({ name, file: here(`styles/${name}`) })),
    ...chatModules.map((name) => ({ name, file: here(name) })),
    { name: 'webchat.js', file: await webChat() },
  ]);
  const look = makeLookOf(server)(theme);
  const texts = textsWith(ownTexts);
  server.route('GET', '/', chatPage(assets, texts, look, options), { body: 'none' });
  if (framedAt !== undefined) server.route('GET', framedAt, chatPage(assets, texts, look, options, "'self'"), { body: 'none' });
  for (const kind of ['privacy', 'terms'] as const)
    server.route('GET', `/${kind}`, aboutPage(kind, assets, look, fallbackLanguage), { body: 'none' });
  if (embedOrigins.length > 0) await addEmbed(server, theme, texts, fallbackLanguage);
  addChatRecord(server, options);
  addChatToken(server, options);
  return assets;
};

/** A page sends as many lines at once as fit into an API's JSON. */
const said = z.object({ said: z.array(z.string().max(20_000)).max(1000) });

/**
 * `POST /chat/record` `{ said: string[] }` → the same without card numbers and codes, by the rules of the transcript
 * that an agent gets. Nothing is stored. It is done here rather than in the page, so that there is one set of rules.
 */
const addChatRecord = (server: HttpServer, { holdsToken, publicUrl }: ChatPageOptions) => {
  const take = limitRate(rates.chatRecords, 'too_many_requests', 'Too many conversations were saved from here. Please wait a moment.');
  const admit: RouteOptions['admit'] = async (request) => {
    if (!isSameOrigin(request, publicUrl)) throw new HttpProblem(403, 'cross_site', 'Only the chat page itself can ask for this.');
    await take(networkOf(request.clientAddress));
    const token = /^Bearer +([\w.~+/=-]{1,4096})$/i.exec(request.headers.authorization ?? '')?.[1];
    if (token !== undefined && (await holdsToken(token))) return;
    throw new HttpProblem(401, 'unauthorized', 'Send the chat’s token as Authorization: Bearer.', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  };
  server.route(
    'POST',
    '/chat/record',
    ({ body }) => {
      const { success, data } = said.safeParse(body);
      if (!success) throw new HttpProblem(422, 'invalid', 'Send { "said": ["…"] }.');
      return { status: 200, body: { said: data.said.map(withoutSecrets) } };
    },
    { admit },
  );
};
