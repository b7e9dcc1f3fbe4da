// `/cards`: every card in every form, language and theme, as each channel shows it. For authors of cards and texts, on
// their own machine. It calls the functions that make the cards of conversations and the activities of channels, so it
// cannot show anything else than what is sent.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Texts } from '../../cards/index.ts';
import { asActivity, chatLanguages, type Way } from '../../dialogs/index.ts';
import { type ChannelProfile, channelOf, knownChannels, ownServiceUrl } from '../platform/channels.ts';
import { HttpProblem } from '../platform/http/http-problem.ts';
import type { HttpRequest, HttpServer } from '../platform/http/http-server.ts';
import { isFromThisMachine } from '../platform/outgoing/loopback.ts';
import { addAssets, sharedFiles, shipped } from '../platform/pages/assets.ts';
import { inColours } from '../platform/pages/look.ts';
import type { Theme } from '../platform/pages/theme.ts';
import { type Entry, galleryPage } from './page.ts';
import { cardSamples } from './samples.ts';

/** The chat page's own channel has no name among the channels. */
const chatPage = 'chat page';
const channels = [chatPage, ...knownChannels];
const themes = ['light', 'dark'];
/** In pixels: the narrowest phone that is supported, a typical one, and a page. */
const widths = ['320', '390', '520'];
const everything = 'all';

const profileOf = (channel: string): ChannelProfile =>
  channelOf(channel === chatPage ? { channelId: 'directline', serviceUrl: ownServiceUrl } : { channelId: channel });

const wayOf = ({ segments, voice }: ChannelProfile): Way | undefined => (voice ? 'heard' : segments ? 'brief' : undefined);

/** The messages that a channel gets, one for each card. */
const entriesOf = (t: Texts, channel: ChannelProfile, group: string): readonly Entry[] => {
  const context = { activity: { from: { id: 'customer' } } } as never;
  return cardSamples(t)
    .filter(({ name }) => group === everything || name.startsWith(`${group}/`))
    .map(({ name, message }) => ({ name, kind: message.kind, activity: asActivity({ context, channel, t }, message) }));
};

const here = (name: string) => new URL(`assets/${name}`, import.meta.url);

/** The card library by itself. The package lets `resolve` find only its entry; the browser's script is beside it. */
const cardLibrary = () =>
  shipped(
    here('card-library.js'),
    () => new URL('../dist/adaptivecards.min.js', pathToFileURL(createRequire(import.meta.url).resolve('adaptivecards'))),
  );

type Selects = Readonly<Record<'cards' | 'channel' | 'language' | 'theme' | 'width', readonly string[]>>;

/**
 * Serves the page, on this machine only.
 * @param chat - the chat page's own styles and scripts, so that its cards look the same here
 * @param textsFor - the bot's texts, including an operator's own
 */
export const addGallery = async (
  server: HttpServer,
  chat: Readonly<Record<'cards.css' | 'looks.js' | 'webchat.js', string>>,
  theme: Theme | undefined,
  textsFor: (locale: string, timeZone?: string, way?: Way) => Texts,
): Promise<void> => {
  const assets = {
    ...chat,
    ...(await addAssets(server, [
      ...sharedFiles,
      { name: 'card-library.js', file: cardLibrary() },
      { name: 'gallery.css', file: here('gallery.css') },
      { name: 'gallery.js', file: here('gallery.js') },
      { name: 'teams-look.js', file: here('teams-look.js') },
    ])),
  };
  const look = inColours(theme?.colours);
  let made: Selects | undefined;
  // Every card there is, which no start needs.
  const selectsOf = (): Selects => {
    const groups = new Set(cardSamples(textsFor('en')).map(({ name }) => name.split('/', 1)[0] as string));
    return { language: chatLanguages, channel: channels, theme: themes, width: widths, cards: [everything, ...groups] };
  };

  const page = (request: HttpRequest) => {
    if (!isFromThisMachine(request)) throw new HttpProblem(404, 'not_found', 'There is nothing at this address.');
    made ??= selectsOf();
    const selects = made;
    const chosen = (name: keyof Selects, usual: string) => {
      const wanted = request.query.get(name);
      return wanted !== null && selects[name].includes(wanted) ? wanted : usual;
    };
    const choice = {
      language: chosen('language', 'en'),
      channel: chosen('channel', chatPage),
      theme: chosen('theme', 'light'),
      width: chosen('width', '520'),
      cards: chosen('cards', 'payments'),
    };
    const channel = profileOf(choice.channel);
    const t = textsFor(choice.language, 'UTC', wayOf(channel));
    return galleryPage({ assets, look, selects, choice, channel, t, entries: entriesOf(t, channel, choice.cards) });
  };
  server.route('GET', '/cards', page, { body: 'none' });
};
