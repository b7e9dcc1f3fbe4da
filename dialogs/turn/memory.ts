// What a chat remembers between turns, as plain JSON. Loaded and saved with each turn.
import { isDeclined, type Texts } from '../../cards/index.ts';
import type { AppId } from '../../src/contract/index.ts';
import type { Decision, Interaction } from '../../src/interactions/index.ts';
import type { Verified } from '../../src/verification/index.ts';
import type { Wish } from '../language/recogniser.ts';
import type { Activity, DialogState } from '../sdk.ts';

/** Whose chat it is, and how it is spoken to: for what reads a turn. */
export interface ChannelMemory {
  /** The owner of the chat. `aadObjectId` identifies the same person on all channels that know it (Microsoft Entra). */
  owner?: { readonly id: string; readonly aadObjectId?: string; readonly tenantId?: string };
  /** The language spoken, BCP 47. */
  locale?: string;
  /** The language that the channel last gave. */
  channelLocale?: string;
  /** The customer's IANA time zone, if the channel gave it: a proactive turn has no message to read it from. */
  timeZone?: string;
  /** The chat has the sender's name. */
  introduced?: true;
  /** When a group was last referred to a private chat, epoch ms. */
  referredAt?: number;
  /** The last click that had an effect: identifies double clicks; an older button is answered as stale. */
  used?: { readonly click: string; readonly at: number };
  /** Until when (epoch ms) the chat page shows that the customer is verified, if it does. */
  shownUntil?: number;
}

/** What a call remembers besides. */
export interface CallMemory {
  /** Set if a voice gateway speaks through a chat channel; the number that it gave proves nothing. */
  gateway?: { readonly caller?: string };
  /** The last words of a call, as a digest. */
  heard?: string;
  /** The keys pressed on a phone so far. */
  keyed?: string;
  /** Interactions of earlier calls from this number; their outcomes are delivered once their customer is verified. */
  unheard?: readonly string[];
}

/** Who is calling, and what was looked up, besides the number and the proofs: for the first steps of the apps. */
export interface CallerMemory extends Verified {
  /** The initials of the name, if they were asked for. */
  initials?: string;
  /** The number that the channel or its token vouched for. */
  vouchedFor?: string | undefined;
  /** The number that was looked up last, and when numbers were (epoch ms, over the last day). */
  lookedUp?: string;
  lookups?: readonly number[];
  /** The chat's own session reference, a ULID: channel conversation ids break the format that the service asks for. */
  sessionRef?: string;
}

/** What was wished for and sent: for the menu, the waits and the outcomes. */
export interface RequestMemory {
  /** The menu has been shown and explained. */
  greeted?: boolean;
  /** The customer's remaining wishes besides the current one, in order. */
  wishes?: readonly Wish[];
  /** The app of the last request, and how it ended. */
  last?: { readonly app: AppId; readonly ending: Decision['status'] | 'declined' | 'expired' | 'refused' | 'unknown' };
  /** The service's references for this chat's requests, newest last, as far as the chat may know them. */
  requests?: string[];
  /** Interactions whose ending this chat has shown, newest last. */
  told?: string[];
  /** The messages with outcomes that can be rated, newest last, for channels whose ratings only name the message. */
  rateable?: readonly { readonly message: string; readonly interaction: string }[];
}

/** What a chat remembers. The names are stored. Capabilities keep their own beside these. */
export interface Memory extends ChannelMemory, CallMemory, CallerMemory, RequestMemory {
  /** What a root bot has begun; `over`: the root bot knows the end, or has ended it. */
  skill?: { readonly app?: string; readonly flow?: string; readonly over?: true };
}

/** Everything that is stored of a chat. */
export interface ChatState {
  dialogs?: DialogState;
  memory?: Memory;
  /** The chat's entry in the list while only the bot has it. Set by each turn, and not stored with the rest. */
  running?: object;
}

const kept = 20;

/** Adds to a list that keeps only its newest entries. */
export const remember = (list: readonly string[] | undefined, entry: string) => [...(list ?? []), entry].slice(-kept);

type Owner = NonNullable<ChannelMemory['owner']>;

const speakerOf = ({ conversation, from }: Activity): Owner => ({
  id: from.id,
  ...(from.aadObjectId && { aadObjectId: from.aadObjectId }),
  ...(conversation.tenantId && { tenantId: conversation.tenantId }),
});

/** A tenant that a channel leaves out of an activity is ignored. */
const isSame = (one: Owner, other: Owner) =>
  (!one.tenantId || !other.tenantId || one.tenantId === other.tenantId) &&
  (one.aadObjectId && other.aadObjectId ? one.aadObjectId === other.aadObjectId : one.id === other.id);

/** Whether the chat's owner is speaking. The first to speak becomes the owner. */
export const isOwner = (memory: ChannelMemory, activity: Activity): boolean => {
  const speaker = speakerOf(activity);
  memory.owner ??= speaker;
  return isSame(memory.owner, speaker);
};

/** What a chat remembers of an interaction that is over. */
export const lastOf = ({ app, outcome, state }: Interaction): NonNullable<Memory['last']> => ({
  app,
  ending: outcome ? (isDeclined(outcome) ? 'declined' : outcome.status) : endingOf(state),
});

const endingOf = (state: Interaction['state']) =>
  state === 'expired' || state === 'unresolved' ? 'expired' : state === 'unknown' ? 'unknown' : 'refused';

/** How the last request of this chat ended, in words; `undefined` where there was none. */
export const lastInWords = ({ memory: { last }, t }: { readonly memory: Memory; readonly t: Texts }): string | undefined =>
  last && t(`last.${last.ending}`, { app: t(`apps.${last.app}.name`) });
