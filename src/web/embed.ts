// The chat on another site's page: `GET /embed.js`, which shows it behind a button or in an element, and the events
// that the page gets.
import { readFile } from 'node:fs/promises';
import type { HttpServer } from '../platform/http/http-server.ts';
import { makeCached } from '../platform/pages/assets.ts';
import type { Theme } from '../platform/pages/theme.ts';
import type { Language } from '../platform/text/languages.ts';
import type { PageTexts } from './texts.ts';

/** Adds the script. Browsers request it again after five minutes, since its address never changes. */
export const addEmbed = async (
  server: HttpServer,
  { name = 'Countersign', colours }: Theme,
  texts: Readonly<Record<Language, PageTexts>>,
  fallbackLanguage: Language,
): Promise<void> => {
  const words = Object.entries(texts).map(([language, text]) => [
    language,
    { open: text.embedOpen, close: text.embedClose, unread: text.embedUnread },
  ]);
  const settings = { name, colours, fallbackLanguage, texts: Object.fromEntries(words) };
  const script = await readFile(new URL('assets/embed.js', import.meta.url), 'utf8');
  const { answer } = makeCached(Buffer.from(`{const settings=${JSON.stringify(settings)};\n${script}}\n`), {
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': 'public, max-age=300',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
  server.route('GET', '/embed.js', answer, { body: 'none' });
};

/** The events that `embed.js` dispatches on the page's `document`, with their `detail`. */
export interface EmbedEvents {
  /** The chat is ready for messages. */
  readonly 'countersign:ready': undefined;
  readonly 'countersign:open': undefined;
  readonly 'countersign:close': undefined;
  /** Messages that came while the chat was closed. */
  readonly 'countersign:unread': { readonly count: number };
  /**
   * An outcome, once for each interaction. It says what the chat shows and proves nothing: act on the result that your
   * server reads.
   */
  readonly 'countersign:outcome': {
    readonly app: string;
    readonly requestId: string;
    readonly status: 'success' | 'failure' | 'timeout' | 'cancelled';
  };
}
