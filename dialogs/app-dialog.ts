// What an app brings to the shared waterfall: a value, not a class.
import type { CardAction, CardMessage, MessageFacts, RequestData, TextKey } from '../cards/index.ts';
import type { AppId, BootstrapAnswer } from '../src/contract/index.ts';
import type { Escalation } from '../src/handoff/index.ts';
import type { Interaction, KnownRequest } from '../src/interactions/index.ts';
import type { CustomerHandle } from './caller.ts';
import type { Instead } from './offer.ts';
import type { FlowWish } from './offered-flows.ts';
import type { Question } from './question.ts';
import type { Turn } from './turn.ts';

/** What a look-up offered to choose from. Who was found is kept as handles, and nothing else of them. */
export type Offered<Id extends AppId = AppId> = Omit<BootstrapAnswer<Id>, 'authentication' | 'customers'>;

/** What the waterfall has gathered so far. Plain JSON: it is stored between turns. */
export interface Gathered<Id extends AppId = AppId> {
  readonly phoneNumber: string;
  readonly sessionRef: string;
  readonly customer: CustomerHandle;
  /** What the bootstrap offered. */
  readonly found: Offered<Id>;
  /** The identifier of what was chosen: document, product or form. */
  readonly chosen?: string;
  /** What was filled in. */
  readonly filled?: Readonly<Record<string, string>>;
  /** The initials that name the customer together with the number, where nobody may learn whether they do. */
  readonly initials?: string;
  /** Two digits that the chat and the device both show, so that the customer sees they belong together. */
  readonly code: string;
}

/** What is gathered step by step; plain JSON. */
export type Values = { -readonly [Key in keyof Gathered]?: Gathered[Key] } & {
  interactionId?: string;
  /** The names under which the service refused what was filled in. */
  refused?: readonly string[];
  /** The service refused the request because of its content. */
  rejected?: boolean;
  /** Who was found. */
  customers?: readonly CustomerHandle[];
  /** When the service was asked, epoch milliseconds. */
  foundAt?: number;
};

/** What an app made of something that the customer typed or submitted while waiting. */
export interface Understood {
  /** What to answer; nothing where the outcome will say it. */
  readonly say?: string;
  /** What was typed should not stay in the chat. */
  readonly secret?: boolean;
}

/** What an app's dialog can start with. Anything already known is not asked for. */
export interface AppOptions {
  readonly phoneNumber?: string;
  /** A customer of that number, by the service's identifier. */
  readonly customerRef?: string;
  /** The words of the wish: they may name which product, document or form is meant. */
  readonly named?: string;
  /** The number is not that of the verified customer alone, so it is found as one that anybody could have typed. */
  readonly shared?: true;
  /**
   * A program asked for it and has decided that it is sent: nobody is there to confirm it. It is sent under this
   * identifier, a ULID: a turn that is repeated does not send it twice.
   */
  readonly confirmed?: string;
  /** It was sent already, by an agent: what is left is to wait for it. */
  readonly started?: { readonly values: Values; readonly to: string; readonly price?: NonNullable<MessageFacts['price']> };
  /** The number typed before had no customer. */
  readonly again?: boolean;
  /**
   * The earlier choice and values. If still offered they are not asked for again, except for the part named by `again`.
   */
  readonly before?: {
    readonly chosen: string;
    readonly filled?: Readonly<Record<string, string>>;
    /** `filled`: what was filled in, which stands there to be changed. `chosen`: the choice too. */
    readonly again?: 'chosen' | 'filled';
    /** The names of the values that the service refused; only these are gone over. */
    readonly refused?: readonly string[];
    /** What is chosen are words of a flow's file, in one of these languages. */
    readonly written?: readonly string[];
  };
}

/**
 * What an app's dialog ends with. `ended`: the interaction is over and the customer has been told. `chosen`: what would
 * be sent is known. `switch`: the customer wants another app, `flow` a flow. `left`: they went away from it before
 * anything was sent. `agent`: they want a person.
 */
export type AppEnding =
  | { readonly kind: 'ended'; readonly interaction: Interaction; readonly price?: MessageFacts['price'] }
  | { readonly kind: 'chosen'; readonly chosen: string; readonly phoneNumber: string; readonly customerRef: string }
  | { readonly kind: 'flow'; readonly wish: FlowWish }
  | { readonly kind: 'switch'; readonly app: AppId; readonly options: AppOptions }
  | { readonly kind: 'left'; readonly why: 'cancel' | 'menu' | 'restart' }
  | { readonly kind: 'agent'; readonly escalation: Escalation };

/** What a waiting card of an app's own shows beside what it knows. */
export interface WaitingShown {
  /** Where the message went, masked. */
  readonly to: string;
  /** What the message can be known by. */
  readonly about: MessageFacts;
  /** The two digits. */
  readonly compare?: string;
  /** Where there is an input to hand over. */
  readonly check?: CardAction;
  readonly actions: readonly CardAction[];
}

/** What choosing and sending need of a turn; a program that asks for it has no chat, and so no more than this. */
export type Asked = Pick<Turn, 'services' | 't'>;

export interface AppDialog<Id extends AppId = AppId> {
  readonly id: Id;
  /** Chooses what is sent; its answer is the identifier. `offered` are the identifiers of what can be chosen now. */
  readonly choose?: {
    readonly question: Question<Gathered<Id>, string>;
    /** What is said when there is nothing to choose. */
    readonly none: TextKey;
    offered(turn: Asked, gathered: Gathered<Id>): readonly string[];
  };
  /** What can be chosen comes from the service. */
  readonly catalogued?: true;
  /**
   * Fills it in. `needed`: whether there is anything to fill in. `refused`: the names meant by the paths a service
   * refused.
   */
  readonly fill?: {
    /** `another`: something else is to be chosen. */
    readonly question: Question<Gathered<Id>, Readonly<Record<string, string>> | 'another'>;
    needed(gathered: Gathered<Id>): boolean;
    refused(gathered: Gathered<Id>, paths: readonly string[]): readonly string[];
  };
  /** The app to offer instead when the customer cannot use this one. */
  readonly instead?: (customer: CustomerHandle) => Instead | undefined;
  /** The app that does the same for the customer in another way. */
  readonly otherWay?: AppId;
  /** What the request is about, as the confirm card says it. */
  about(turn: Turn, gathered: Gathered<Id>): RequestData[Id];
  /** The title of what is sent, for an outcome that does not name it. */
  readonly subject?: (turn: Asked, gathered: Gathered<Id>) => string | undefined;
  /** What is to be paid, in major units. */
  readonly price?: (gathered: Gathered<Id>) => MessageFacts['price'];
  /** The body of the send, as far as the chat may know it. */
  request(turn: Asked, gathered: Gathered<Id>): KnownRequest<Id>;
  /** Where its message goes, masked, when not to the phone number. */
  readonly destination?: (turn: Turn, gathered: Gathered<Id>) => string;
  /** Whether the message is the bot's own words, so that it can show the two digits where the service does not. */
  readonly comparesCode?: boolean;
  /** A waiting card of the app's own, with an input that `check` hands over; the shared card shows the steps. */
  readonly waiting?: (turn: Turn, interaction: Interaction, shown: WaitingShown) => CardMessage;
  /** Takes words, or what a waiting card's input holds; `undefined` when they mean nothing to this app. */
  readonly answered?: (turn: Turn, interaction: Interaction, typed: string) => Promise<Understood | undefined>;
}

/** States an app's dialog while keeping its exact type. */
export const defineAppDialog = <Id extends AppId>(app: AppDialog<Id>) => app;
