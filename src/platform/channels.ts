// What each channel can do, in one table. All code that depends on the channel asks here; none compares names of
// channels.
import type { Rate } from './limits.ts';

/**
 * The `serviceUrl` of activities of our own Direct Line. It is not an address: nothing that arrives over HTTP may carry
 * it.
 */
export const ownServiceUrl = 'urn:countersign:directline';

/**
 * The channel of calls over our own route for voice gateways. Like Direct Line's, its activities never arrive at the
 * messaging endpoint.
 */
export const callChannel = 'voice-gateway';

/** What a channel shows, updates, removes and counts, and who its users are. */
export interface ChannelProfile {
  /** Shows Adaptive Cards with working buttons. Otherwise everything is sent as text, with numbered choices. */
  readonly cards: boolean;
  /** Is shown by Web Chat, which reads a card aloud only from text that accompanies it. */
  readonly webChat: boolean;
  /**
   * Expects the updated card in answer to a click on it, and requests it again when it comes into view (Action.Execute
   * and `refresh`).
   */
  readonly universalActions: boolean;
  /** Alerts the customer's devices to a message that asks for it. */
  readonly alerts: boolean;
  /** Replaces a message in place. Otherwise a waiting card stays as it was sent. */
  readonly updates: boolean;
  /** Shows a typing indicator. */
  readonly typing: boolean;
  /** Removes a customer's message from the chat on request. */
  readonly removes: boolean;
  /** Shows beside the chat whether the customer is verified (the event `verification`). */
  readonly showsVerified: boolean;
  /** How it marks up what customers type: some characters as HTML entities, or as Slack does, with links too. */
  readonly markup: 'html' | 'slack' | undefined;
  /**
   * Is charged per segment of a text message (GSM 03.38): messages are brief, and use its alphabet where the words
   * allow it.
   */
  readonly segments: boolean;
  /** Is heard, not read: every message is speech (SSML), and answers are spoken or keyed in. */
  readonly voice: boolean;
  /** Who its users are: phone numbers, accounts of an organisation (Microsoft Entra), or anybody. */
  readonly users: 'phones' | 'accounts' | 'anybody';
  /**
   * Its messages are read on the phone whose number the sender has, and links in them open there. Never set for a
   * channel whose users are not phones, nor for voice calls.
   */
  readonly opensOnPhone: boolean;
  /** How a caller is transferred to a person. */
  readonly transfers: 'transfer' | 'handoff' | undefined;
  /**
   * Users must confirm the number that the channel gives for them: a profile may be old, and a caller's number forged.
   */
  readonly candidates: boolean;
  /** The address of a private chat with the bot of this id, for users who met it where others can read. */
  readonly privateChat: ((bot: string) => string) | undefined;
  /**
   * How customers can rate an outcome: `entity`, by thumbs that Web Chat shows for a message's actions (schema.org);
   * `loop`, by those of Teams; `undefined`: not at all.
   */
  readonly thumbs: 'entity' | 'loop' | undefined;
  /** Limits on the bot's posts to one conversation, updates included. */
  readonly limits: readonly Rate[];
}

/** The profile of a channel that is not listed: it shows text. */
const text: ChannelProfile = {
  cards: false,
  webChat: false,
  universalActions: false,
  alerts: false,
  updates: false,
  typing: false,
  removes: false,
  showsVerified: false,
  markup: undefined,
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
/** Text messages on a phone, where links open. */
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
      markup: 'html',
      users: 'accounts',
      candidates: true,
      privateChat: (bot) => `https://teams.microsoft.com/l/chat/0/0?users=${encodeURIComponent(bot)}`,
      thumbs: 'loop',
      limits: [
        { points: 7, seconds: 1 },
        { points: 8, seconds: 2 },
        { points: 60, seconds: 30 },
        { points: 1800, seconds: 3600 },
      ],
    },
  ],
  ['directline', webChat],
  ['emulator', webChat],
  ['webchat', webChat],
  ['slack', { ...text, updates: true, markup: 'slack' }],
  ['sms', sms],
  ['twilio-sms', sms],
  ['telephony', voice],
  [callChannel, { ...voice, removes: true, transfers: 'transfer' }],
  ['whatsapp', phoneMessages],
  ['acs', phones],
]);

type ChannelOfActivity = { readonly channelId?: string | undefined; readonly serviceUrl?: string | undefined };

/** The names of the channels that have a profile. */
export const knownChannels: readonly string[] = [...profiles.keys()];

/** A voice gateway behind Azure's Direct Line: its callers have phones, although the channel's name does not say so. */
export const behindDirectLine: ChannelProfile = { ...voice, users: 'anybody', transfers: 'transfer' };

/**
 * The profile of the channel that an activity came from or goes to. Our own channels share one address, since both are
 * in this process.
 */
export const channelOf = ({ channelId = '', serviceUrl }: ChannelOfActivity): ChannelProfile =>
  serviceUrl === ownServiceUrl && channelId !== callChannel ? ownChat : (profiles.get(channelId) ?? text);
