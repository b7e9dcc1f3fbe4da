// What each channel can do, in one table. Everything that depends on the channel asks here; nobody else compares names
// of channels.

/**
 * The `serviceUrl` of activities of our own Direct Line. It is not an address: nothing that arrives over HTTP may carry
 * it.
 */
export const ownServiceUrl = 'urn:countersign:directline';

/**
 * The channel of calls that come by our own route for voice gateways. Like Direct Line's, its activities never arrive
 * at the messaging endpoint.
 */
export const callChannel = 'voice-gateway';

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
  /**
   * Has a card's click answered with the card as it then is, and asks for it anew when it comes into view
   * (Action.Execute and `refresh`).
   */
  readonly universalActions: boolean;
  /** Alerts the customer's devices for a message that asks for it. */
  readonly alerts: boolean;
  /** Replaces a message in place. Where it cannot, a waiting card stays as it was sent. */
  readonly updates: boolean;
  /** Shows that somebody is writing. */
  readonly typing: boolean;
  /** Takes a customer's message out of the chat when asked to. */
  readonly removes: boolean;
  /** Shows beside the chat whether the customer is verified (the event `verification`). */
  readonly showsVerified: boolean;
  /** Writes some characters of what was typed as HTML entities. */
  readonly entities: boolean;
  /**
   * Is paid for by the segment of a text message (GSM 03.38): messages are brief, and in its alphabet as far as the
   * words allow it.
   */
  readonly segments: boolean;
  /** Is heard, not read: every message is speech (SSML), and answers are spoken or keyed in. */
  readonly voice: boolean;
  /** Who its users are: phone numbers, accounts of an organisation (Microsoft Entra), or anybody. */
  readonly users: 'phones' | 'accounts' | 'anybody';
  /**
   * Its messages are read on the phone whose number the sender has, and a link in them opens there. Never of a channel
   * whose users are not phones, and not of a voice call.
   */
  readonly opensOnPhone: boolean;
  /** How a caller is passed on to a person. */
  readonly transfers: 'transfer' | 'handoff' | undefined;
  /**
   * The number that it knows of a user is to be confirmed by them: a profile may be old, and the number of a caller
   * forged.
   */
  readonly candidates: boolean;
  /** The address of a private chat with the bot of this id, for those who met it where others can read. */
  readonly privateChat: ((bot: string) => string) | undefined;
  /**
   * How customers can say what they think of an outcome: by thumbs that Web Chat shows for what a message says can be
   * done with it (schema.org), or by Teams' own; `undefined`: not at all.
   */
  readonly thumbs: 'entity' | 'loop' | undefined;
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
  typing: false,
  removes: false,
  showsVerified: false,
  entities: false,
  segments: false,
  voice: false,
  users: 'anybody',
  opensOnPhone: false,
  candidates: false,
  transfers: undefined,
  privateChat: undefined,
  thumbs: undefined,
  limits: [],
};

const webChat: ChannelProfile = { ...text, cards: true, webChat: true, thumbs: 'entity', typing: true };
const phones: ChannelProfile = { ...text, users: 'phones' };
/** Text messages of a phone, whose links open there. */
const phoneMessages: ChannelProfile = { ...phones, opensOnPhone: true };
const sms: ChannelProfile = { ...phoneMessages, segments: true };
const voice: ChannelProfile = { ...phones, voice: true, candidates: true, transfers: 'handoff' };

/** Our own Direct Line, which can do everything. */
const ownChat: ChannelProfile = { ...webChat, updates: true, removes: true, showsVerified: true };

/**
 * The channels by their names. Those that turn a card into a picture without buttons, or drop it, get text
 * (learn.microsoft.com, "Channels reference": card support). Teams: "Mentions in bots" for the entities, "Optimize your
 * bot with rate limiting" for the limits of a bot in one thread.
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
      typing: true,
      entities: true,
      users: 'accounts',
      candidates: true,
      privateChat: (bot) => `https://teams.microsoft.com/l/chat/0/0?users=${encodeURIComponent(bot)}`,
      thumbs: 'loop',
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
  ['sms', sms],
  ['twilio-sms', sms],
  ['telephony', voice],
  [callChannel, { ...voice, removes: true, transfers: 'transfer' }],
  ['whatsapp', phoneMessages],
  ['acs', phones],
]);

/** The names of the channels that have a profile of their own. */
export const knownChannels: readonly string[] = [...profiles.keys()];

/** A voice gateway behind Azure's Direct Line: its caller has a phone, and no name of the channel says so. */
export const behindDirectLine: ChannelProfile = { ...voice, users: 'anybody', transfers: 'transfer' };

/**
 * The profile of the channel that an activity came from or goes to. Ours have one address, since both are in this
 * process.
 */
export const channelOf = ({
  channelId = '',
  serviceUrl,
}: {
  readonly channelId?: string | undefined;
  readonly serviceUrl?: string | undefined;
}): ChannelProfile => (serviceUrl === ownServiceUrl && channelId !== callChannel ? ownChat : (profiles.get(channelId) ?? text));
