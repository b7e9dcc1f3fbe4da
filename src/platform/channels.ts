// What each channel can do, in one table. Everything that depends on the channel asks here; nobody else compares names of channels.

/** The `serviceUrl` of activities of our own Direct Line. It is not an address: nothing that arrives over HTTP may carry it. */
export const ownServiceUrl = 'urn:countersign:directline';

/** So many activities at most in so many seconds. */
export interface PostLimit {
  readonly posts: number;
  readonly seconds: number;
}

/** What a channel shows, updates, removes and counts, and who its users are. */
export interface ChannelProfile {
  /** Shows Adaptive Cards, and their buttons work. Where not, everything is said in text, with choices numbered. */
  readonly cards: boolean;
  /** Is shown by Web Chat, which reads a card out only by words that stand beside it. */
  readonly webChat: boolean;
  /** Has a card's click answered with the card as it then is, and asks for it anew when it comes into view (Action.Execute and `refresh`). */
  readonly universalActions: boolean;
  /** Alerts the customer's devices for a message that asks for it. */
  readonly alerts: boolean;
  /** Replaces a message in place. Where it cannot, a waiting card stays as it was sent. */
  readonly updates: boolean;
  /** Takes a customer's message out of the chat when asked to. */
  readonly removes: boolean;
  /** Shows beside the chat whether the customer is verified (the event `verification`). */
  readonly showsVerified: boolean;
  /** Writes some characters of what was typed as HTML entities. */
  readonly entities: boolean;
  /** Who its users are: phone numbers, accounts of an organisation (Microsoft Entra), or anybody. */
  readonly users: 'phones' | 'accounts' | 'anybody';
  /**
   * Its messages are read on the phone whose number the sender has, and a link in them opens there. Never of a channel
   * whose users are not phones, and not of a voice call.
   */
  readonly opensOnPhone: boolean;
  /** The address of a private chat with the bot of this id, for those who met it where others can read. */
  readonly privateChat: ((bot: string) => string) | undefined;
  /** What the bot may post into one conversation, updates included. */
  readonly limits: readonly PostLimit[];
}

/** What is known of a channel that is not listed: it shows text. */
const text: ChannelProfile = {
  cards: false,
  webChat: false,
  universalActions: false,
  alerts: false,
  updates: false,
  removes: false,
  showsVerified: false,
  entities: false,
  users: 'anybody',
  opensOnPhone: false,
  privateChat: undefined,
  limits: [],
};

const webChat: ChannelProfile = { ...text, cards: true, webChat: true };
const phones: ChannelProfile = { ...text, users: 'phones' };
const phoneMessages: ChannelProfile = { ...phones, opensOnPhone: true };

/** Our own Direct Line, which can do everything. */
const ownChat: ChannelProfile = { ...webChat, updates: true, removes: true, showsVerified: true };

/**
 * The channels by their names. Those that turn a card into a picture without buttons, or drop it, get text (learn.microsoft.com, "Channels reference":
 * card support). Teams: "Mentions in bots" for the entities, "Optimize your bot with rate limiting" for the limits of a bot in one thread.
 */
const profiles: ReadonlyMap<string, ChannelProfile> = new Map([
  [
    'msteams',
    {
      ...text,
      cards: true,
      universalActions: true,
      alerts: true,
      updates: true,
      entities: true,
      users: 'accounts',
      privateChat: (bot) => `https://teams.microsoft.com/l/chat/0/0?users=${encodeURIComponent(bot)}`,
      limits: [
        { posts: 7, seconds: 1 },
        { posts: 8, seconds: 2 },
        { posts: 60, seconds: 30 },
        { posts: 1800, seconds: 3600 },
      ],
    },
  ],
  ['directline', webChat],
  ['emulator', webChat],
  ['webchat', webChat],
  ['slack', { ...text, updates: true }],
  ['sms', phoneMessages],
  ['telephony', phones],
  ['whatsapp', phoneMessages],
  ['twilio-sms', phoneMessages],
  ['acs', phones],
]);

/** The profile of the channel that an activity came from or goes to. */
export const channelOf = ({
  channelId = '',
  serviceUrl,
}: {
  readonly channelId?: string | undefined;
  readonly serviceUrl?: string | undefined;
}): ChannelProfile => (serviceUrl === ownServiceUrl ? ownChat : (profiles.get(channelId) ?? text));
