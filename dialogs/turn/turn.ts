// One turn as the dialogs see it: the speaker, the language, the input, and the services.
import type { Texts } from '../../cards/index.ts';
import type { AppId } from '../../src/contract/index.ts';
import type { Handoff, HandoffRecord, Handoffs } from '../../src/handoff/index.ts';
import type { Interaction, Interactions, News } from '../../src/interactions/index.ts';
import type { ChannelProfile } from '../../src/platform/channels.ts';
import type { LookupRate } from '../../src/platform/limits.ts';
import type { Log } from '../../src/platform/log.ts';
import { rootOf } from '../../src/platform/root-bot.ts';
import type { Clock } from '../../src/platform/time/clock.ts';
import type { VerificationState } from '../../src/verification/index.ts';
import type { Way } from '../language/texts.ts';
import type { Activity, DialogContext, DialogInstance, DialogState, TurnContext } from '../sdk.ts';
import type { Input } from './activities.ts';
import type { AppTitles, FormEntry } from './catalogue.ts';
import type { Memory } from './memory.ts';
import type { Flows } from './offered-flows.ts';

/** Finds the caller's number (E.164) where the channel knows it. It may ask elsewhere; a failure means "not known". */
export type CallerResolver = (activity: Partial<Activity>) => Promise<string | undefined>;

/** The services that every dialog may use. Made once, when the bot is composed. */
export interface Services {
  readonly interactions: Interactions;
  /** How an agent is asked for if no hub is known. */
  readonly handoff: Handoff;
  /** Agents who join the chat by way of hubs; unset: none do. */
  readonly handoffs?: Handoffs;
  /** The forms that can be sent: e-form's bootstrap lists none. */
  readonly forms: readonly FormEntry[];
  /** The chat of an activity, to which outcomes are delivered later; opaque here. */
  readonly chatOf: (activity: Partial<Activity>) => { readonly conversation: string; readonly address: string };
  /** Finds the caller's number where the channel knows it. */
  readonly callerNumber: CallerResolver;
  /** Whether a number typed in this chat is looked up by initials, and hit and miss are answered alike. */
  readonly asksInitials: (activity: Partial<Activity>) => boolean;
  /** The number whose catalogue is offered when customers are found by initials, so that offers reveal nothing. */
  readonly catalogueNumber?: string;
  /** The service shows the two digits of a request with its message and on its page. */
  readonly showsCode: boolean;
  /** Whether links of requests may be asked for and said: not in another's bot, whose transcripts are not ours. */
  readonly saysLinks: boolean;
  /** Counts lookups per user. */
  readonly lookupRate: LookupRate;
  /** Counts a lookup where the turn came from; `false` when it is one too many. */
  readonly admitLookup: (activity: Partial<Activity>) => Promise<boolean>;
  /** Region for numbers typed without a country code, ISO 3166 alpha-2. */
  readonly defaultRegion: string;
  /** The texts for a language tag and an IANA time zone; unknown ones fall back. */
  readonly textsFor: (locale: string, timeZone?: string, way?: Way) => Texts;
  /** The sender's name that customers see, if known. */
  readonly sender?: string;
  /** The apps that customers and programs may begin. Flows and agents may begin all of them. */
  readonly apps: readonly AppId[];
  /** The operator's titles for the apps, by language; the built-in ones are the default. */
  readonly titles?: AppTitles;
  /** The designers' flows. */
  readonly flows?: Flows;
  /** Whether an agent can be reached: in a chat of that `serviceUrl`, or at {@link agentContact}. */
  readonly person: (serviceUrl: string | undefined) => boolean;
  /**
   * The number to which a caller who asks for an agent is transferred, and the proof passed on for a verified customer.
   */
  readonly transfer?: {
    readonly to: string;
    prove(verification: VerificationState, conversation: string): Promise<string | undefined>;
  };
  /** Says now and then, in a spoken chat, that the interaction is still waited for. */
  readonly holdOn?: (interaction: Interaction) => void;
  /** How to reach an agent when none can join the chat: words for the customer. */
  readonly agentContact?: string;
  readonly clock: Clock;
  readonly newId: () => string;
  /** A number in [0, 1) from a cryptographic source: it makes codes that people compare. */
  readonly random: () => number;
  readonly log: Log;
}

/** What a turn notes while it runs. */
export interface Notes {
  /** The bot's words, one line each. */
  readonly said: { readonly from: 'agent' | 'bot'; readonly text: string; readonly agent?: string }[];
  /** The customer's choice, in the words of the button. */
  picked?: string;
  /** Whether others may not read what the customer wrote. */
  secret: boolean;
}

export interface Turn {
  readonly context: TurnContext;
  /** What a flow itself says in this turn, where a program reads it. */
  readonly flowSaid?: string[];
  readonly memory: Memory;
  readonly t: Texts;
  input: Input;
  /** What happened to an interaction, in a proactive turn. */
  readonly news: News | undefined;
  readonly channel: ChannelProfile;
  /** Begins the chat's first words with the sender's name, where nothing else shows it. */
  readonly introduce?: (words: string) => string;
  /** Work to do once the turn is saved, in this order. Cosmetic only, since a crash may lose it. */
  readonly afterwards: (() => Promise<void>)[];
  readonly services: Services;
  /** Notes about the turn. */
  readonly notes?: Notes;
  /** The call is being transferred: no more questions are asked. */
  transferred?: boolean;
  /** The customer has said goodbye. */
  left?: boolean;
  /** A message to absent agents was offered: nothing else is asked in this turn. */
  offered?: boolean;
  /** Asks for a person through the channel, once everything else has been said. */
  initiate?: (() => Promise<void>) | undefined;
  /** The agent who was last asked for in this chat: joined, waited for, or recently gone. */
  person?: HandoffRecord | undefined;
}

/** Whether an agent can be reached from this chat: one can join, or a call can be transferred. */
export const canAskForAgent = ({ channel, context, services }: Pick<Turn, 'channel' | 'context' | 'services'>): boolean =>
  services.person(context.activity.serviceUrl) || (channel.transfers !== undefined && services.transfer !== undefined);

const key = Symbol('turn');

/** Stores the turn where all its dialogs find it. */
export const carryTurn = (turn: Turn): void => {
  turn.context.turnState.set(key, turn);
};

/** The turn a dialog runs in. */
export const turnOf = (context: TurnContext): Turn => context.turnState.get(key);

/** A chat that others can read: a group, or a channel of a team. */
export const isShared = ({ conversation }: Pick<Activity, 'conversation'>) =>
  conversation.isGroup === true || (conversation.conversationType !== undefined && conversation.conversationType !== 'personal');

/** Whether a root bot runs this conversation as a skill. */
export const isSkill = ({ context }: Pick<Turn, 'context'>): boolean => rootOf(context.activity) !== undefined;

/** The dialogs that are open in a stored stack, from the outside in. */
export const openIn = (dialogs: DialogState | undefined): DialogInstance[] => {
  const top = dialogs?.dialogStack.at(-1);
  return top ? [top, ...openIn(top.state?.dialogs)] : [];
};

/**
 * The dialog that the customer is talking to: the one at the top of the innermost stack. Read from the stacks, since
 * `dc.child` makes a context with memory scopes on every access.
 */
export const innermost = ({ stack }: DialogContext): DialogInstance | undefined => openIn({ dialogStack: stack }).at(-1);
