// What a chat remembers between turns, as plain JSON. It is loaded and saved with each turn.
import { isDeclined, type Texts } from '../cards/index.ts';
import type { AppId } from '../src/contract/index.ts';
import type { Line, RunningChat } from '../src/handoff/index.ts';
import type { Decision, Interaction } from '../src/interactions/index.ts';
import type { Verified } from '../src/verification/index.ts';
import type { Wish } from './recogniser.ts';
import type { Activity, DialogState } from './sdk.ts';

export interface Memory extends Verified {
  /** The owner of the chat. */
  owner?: Owner;
  /** The chat's own session reference, a ULID: channel conversation ids break the format that the service asks for. */
  sessionRef?: string;
  /** The language spoken, BCP 47. */
  locale?: string;
  /** The language that the channel last gave. */
  channelLocale?: string;
  /** The customer's IANA time zone, where the channel gave it: a proactive turn has no message to read it from. */
  timeZone?: string;
  /** Until when the chat page shows that the customer is verified (epoch ms), if it does. */
  shownUntil?: number;
  /** The menu has been shown and explained. */
  greeted?: boolean;
  /** The caller's number in E.164, once the channel or the customer has given it. */
  phoneNumber?: string;
  /** The initials of the name, where they were asked for. */
  initials?: string;
  /** The number that the channel or its token vouched for. */
  vouchedFor?: string;
  /** The number that was looked up last, and when numbers were (epoch ms, over the last day). */
  lookedUp?: string;
  lookups?: readonly number[];
  /** A voice gateway speaks through a chat channel; the number it gave, which proves nothing. */
  gateway?: { readonly caller?: string };
  /** The call was to be transferred. */
  transferring?: true;
  /** What was keyed in on a phone so far. */
  keyed?: string;
  /** The last click that had an effect: a double click is known by it, and an older button is answered as stale. */
  used?: { readonly click: string; readonly at: number };
  /** What the customer has asked for besides what is going on now, in its order. */
  wishes?: readonly Wish[];
  /** What was sent last, and how it ended. */
  last?: { readonly app: AppId; readonly ending: Decision['status'] | 'declined' | 'expired' | 'refused' | 'unknown' };
  /** What the service knows this chat's requests by, newest last, as far as the chat may know it. */
  requests?: string[];
  /** What was said lately, for the person who takes the chat over; only where one can. */
  transcript?: readonly Line[];
  /** The person who was asked for last. */
  person?: {
    readonly id: string;
    /** Who the customer was told has joined. */
    readonly agent?: string;
    /** What was said by them, newest last. */
    readonly said?: readonly string[];
    /** The flow that they have begun, and runs: its act, its name, and who asked for it. */
    readonly flow?: { readonly id: string; readonly name: string; readonly agentId: string };
    /** The customer is asked whether to go on with the bot. */
    readonly asked?: true;
    /** They are gone, and nobody is verified by what was proved before. */
    readonly gone?: true;
  };
  /** What the chat waits for, and since when (epoch ms), where somebody may see it. */
  waits?: { readonly what: string; readonly since: number };
  /** A message for somebody who is not there: it can be left, or the next words are it. */
  message?: 'offered' | 'asked';
  /** What a root bot has begun; `over`: it knows the end, or has ended it. */
  skill?: { readonly app?: string; readonly flow?: string; readonly over?: true };
  /** The messages with outcomes that can be rated, newest last, where a rating only names the message. */
  rateable?: readonly { readonly message: string; readonly interaction: string }[];
  /** Interactions of earlier calls from this number, whose outcome is delivered once their customer is verified. */
  unheard?: readonly string[];
  /** Interactions whose ending this chat has shown, newest last. */
  told?: string[];
}

/** Everything that is kept of a chat. */
export interface ChatState {
  dialogs?: DialogState;
  memory?: Memory;
  /** How it is listed while the bot has it to itself. Set by each turn, and not kept with the rest. */
  running?: RunningChat;
}

const kept = 20;

/** Adds to a list that keeps only its newest entries. */
export const remember = (list: readonly string[] | undefined, entry: string) => [...(list ?? []), entry].slice(-kept);

/** Who speaks on a channel. */
export interface Owner {
  readonly id: string;
  /** The same person wherever they write, where the channel knows it (Microsoft Entra). */
  readonly aadObjectId?: string;
  readonly tenantId?: string;
}

const speakerOf = ({ conversation, from }: Activity): Owner => ({
  id: from.id,
  ...(from.aadObjectId && { aadObjectId: from.aadObjectId }),
  ...(conversation.tenantId && { tenantId: conversation.tenantId }),
});

/** A tenant that a channel leaves out of an activity says nothing. */
const isSame = (one: Owner, other: Owner) =>
  (!one.tenantId || !other.tenantId || one.tenantId === other.tenantId) &&
  (one.aadObjectId && other.aadObjectId ? one.aadObjectId === other.aadObjectId : one.id === other.id);

/** Whether the chat's owner is speaking. The first to speak becomes the owner. */
export const isOwner = (memory: { owner?: Owner }, activity: Activity): boolean => {
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
