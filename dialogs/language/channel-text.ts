// What a customer typed, without what the channel adds to it: mentions, links, entities, and contacts in its own data.
import { decodeHTML } from 'entities';
import { z } from 'zod';
import { channelOf } from '../../src/platform/channels.ts';
import { languageTag } from '../../src/platform/text/accept-language.ts';
import type { Activity } from '../sdk.ts';

const mention = z.object({ type: z.literal('mention'), text: z.string().min(1), mentioned: z.object({ id: z.string() }) });

/** The texts by which an activity mentions the bot. Teams puts the bot's name first, in private chats too. */
const mentionsIn = ({ entities = [], recipient }: Partial<Activity>): readonly string[] =>
  entities.flatMap((entity) => {
    const { data } = mention.safeParse(entity);
    return data && data.mentioned.id === recipient?.id ? [data.text] : [];
  });

/** A link, mention or date of Slack: what it leads to, and the label that people see, if there is one. */
const slackLink = /<(?:(?:tel|mailto):|[@#!])?([^<>|]*)(?:\|([^<>]*))?>/g;

const plain = {
  /** Teams, and channels whose text is XML (learn.microsoft.com, "Mentions in bots"). */
  html: decodeHTML,
  /** docs.slack.dev, "Formatting message text": only `&`, `<` and `>` are escaped. */
  slack: (text: string) => decodeHTML(text.replace(slackLink, (_link, target: string, label?: string) => label ?? target)),
} as const;

/** A contact that a customer of Telegram has shared (core.telegram.org/bots/api#contact). It counts as a typed number. */
const shared = z.object({ message: z.object({ contact: z.object({ phone_number: z.string().regex(/^\+?[\d ()-]{5,30}$/) }) }) });

const contactIn = ({ channelData }: Partial<Activity>): string => {
  const number = shared.safeParse(channelData).data?.message.contact.phone_number.replace(/\D/g, '');
  return number === undefined ? '' : `+${number}`;
};

const beginsNoWord = (text: string) => !/^[\p{L}\p{N}_]/u.test(text);

/**
 * Whether somebody in a group means the bot: by a mention, its name, a command or a button; or by adding it. Some
 * channels deliver everything that members say.
 */
export const isAddressed = (activity: Partial<Activity>): boolean => {
  const { membersAdded = [], recipient, text = '', value } = activity;
  const names = [recipient?.id, recipient?.name].flatMap((name) => (name ? [`@${name.toLowerCase()}`] : []));
  return (
    mentionsIn(activity).length > 0 ||
    (value !== undefined && value !== null) ||
    membersAdded.some(({ id }) => id === recipient?.id) ||
    names.some((name) => text.toLowerCase().split(name).slice(1).some(beginsNoWord)) ||
    /^\/\w+(?:\s|$)/.test(text)
  );
};

const user = z.object({ message: z.object({ from: z.object({ language_code: languageTag }) }) });

/** The language of the activity; Telegram's, which sends no `locale`, of its user (core.telegram.org/bots/api#user). */
export const localeIn = ({ channelData, locale }: Partial<Activity>): string | undefined =>
  locale ?? user.safeParse(channelData).data?.message.from.language_code;

/** The typed text, or the number of a shared contact. */
export const typedIn = (activity: Partial<Activity>): string => {
  const { text = '', textFormat } = activity;
  const typed = mentionsIn(activity).reduce((rest, name) => rest.replace(name, ' '), text);
  const markup = textFormat === 'xml' ? 'html' : channelOf(activity).markup;
  return (markup ? plain[markup](typed) : typed).trim() || contactIn(activity);
};
