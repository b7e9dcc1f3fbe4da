// What an app contributes to the shared waterfall: a value, not a class.
import type { CardAction, CardMessage, MessageFacts, RequestData, TextKey } from '../../cards/index.ts';
import type { AppId, BootstrapAnswer } from '../../src/contract/index.ts';
import type { Interaction, KnownRequest } from '../../src/interactions/index.ts';
import type { Escalation } from '../escalation/case.ts';
import type { FlowWish } from '../turn/offered-flows.ts';
import type { Turn } from '../turn/turn.ts';
import type { CustomerHandle } from './caller.ts';
import type { EndedApp, Instead } from './offer.ts';
import type { Question } from './question.ts';

/** The choices that a look-up offered. Of the customers, only handles are kept. */
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
  /** The values that were filled in. */
  readonly filled?: Readonly<Record<string, string>>;
  /** The initials that, with the number, name the customer where the chat may not learn whether they match. */
  readonly initials?: string;
  /** Two digits shown in the chat and on the device, so that the customer sees that they belong together. */
  readonly code: string;
}

/** The values gathered step by step; plain JSON. */
export type Values = { -readonly [Key in keyof Gathered]?: Gathered[Key] } & {
  interactionId?: string;
  /** The names under which the service refused what was filled in. */
  refused?: readonly string[];
  /** The service refused the request because of its content. */
  rejected?: boolean;
  /** The customers found. */
  customers?: readonly CustomerHandle[];
  /** The open request for the same thing of which the customer was told. */
  open?: string;
  /** The list says that what is chosen is sent at once. */
  atOnce?: boolean;
  /** When the service was asked, epoch milliseconds. */
  foundAt?: number;
  /** The identifier of the request that is sent if the customer goes on from a success that left something to do. */
  next?: string;
};

/**
 * What was chosen: an identifier; one that only the customer's words suggest; or another way on. Only the first can
 * also count as asking for it.
 */
export type ChoiceAnswer = string | { readonly guessed: string } | { readonly instead: 'another' | 'cancel' };

/** What an app's dialog can start with. Values already known are not asked for. */
export interface AppOptions {
  readonly phoneNumber?: string;
  /** A customer of that number, by the service's identifier. */
  readonly customerRef?: string;
  /** The words of the wish, which may name a product, document or form. */
  readonly named?: string;
  /** The flow has verified this customer: another one ends the app, before anything is sent to them. */
  readonly bound?: true;
  /** Others may share the verified customer's number, so it is looked up as if anybody could have typed it. */
  readonly shared?: true;
  /**
   * A program asked for it and has decided to send it, so nobody confirms it. It is sent under this identifier,
   * a ULID, so that a repeated turn does not send it twice.
   */
  readonly confirmed?: string;
  /** An agent has already sent it: only the wait is left. */
  readonly started?: { readonly values: Values; readonly to: string; readonly price?: NonNullable<MessageFacts['price']> };
  /** The number typed before had no customer. */
  readonly again?: boolean;
  /**
   * The earlier choice and values. If still offered they are not asked for again, except for the part named by `again`.
   */
  readonly before?: {
    readonly chosen: string;
    readonly filled?: Readonly<Record<string, string>>;
    /** `filled`: the entered values are shown to be changed. `chosen`: the choice is asked for too. */
    readonly again?: 'chosen' | 'filled';
    /** The names of the values that the service refused; only these are asked for again. */
    readonly refused?: readonly string[];
    /** Set if the choice consists of words in a flow's file, in one of these languages. */
    readonly written?: readonly string[];
  };
}

/**
 * What an app's dialog ends with. `ended`: the interaction is over and the customer has been told. `chosen`: what would
 * be sent is known. `switch`: the customer wants another app; `flow`: a flow. `left`: they left it before
 * anything was sent. `agent`: they want an agent.
 */
export type AppEnding =
  | { readonly kind: 'ended'; readonly interaction: Interaction; readonly price?: MessageFacts['price'] }
  | { readonly kind: 'chosen'; readonly chosen: string; readonly phoneNumber: string; readonly customerRef: string }
  | { readonly kind: 'flow'; readonly wish: FlowWish }
  | { readonly kind: 'switch'; readonly app: AppId; readonly options: AppOptions }
  | { readonly kind: 'left'; readonly why: 'cancel' | 'menu' | 'restart' }
  | { readonly kind: 'agent'; readonly escalation: Escalation };

/** The part of a turn that choosing and sending need; all that a program without a chat can give. */
export type Asked = Pick<Turn, 'services' | 't'>;

export interface AppDialog<Id extends AppId = AppId> {
  readonly id: Id;
  /** Chooses what is sent. `offered` are the identifiers of what can be chosen now. */
  readonly choose?: {
    readonly question: Question<Gathered<Id>, ChoiceAnswer>;
    /** Said if there is nothing to choose. */
    readonly none: TextKey;
    offered(turn: Asked, gathered: Gathered<Id>): readonly string[];
  };
  /** The choices come from the service. */
  readonly catalogued?: true;
  /**
   * Fills it in. `needed`: whether there is anything to fill in. `refused`: maps the paths that the service
   * refused to names.
   */
  readonly fill?: {
    /** `another`: the customer wants to choose something else; `cancel`: nothing. */
    readonly question: Question<Gathered<Id>, Readonly<Record<string, string>> | 'another' | 'cancel'>;
    needed(gathered: Gathered<Id>): boolean;
    refused(gathered: Gathered<Id>, paths: readonly string[]): readonly string[];
  };
  /** The app to offer instead when the customer cannot use this one. */
  readonly instead?: (customer: CustomerHandle) => Instead | undefined;
  /** The app that does the same for the customer in another way. */
  readonly otherWay?: NonNullable<EndedApp['instead']>;
  /** The request's subject, as the confirm card states it. */
  about(turn: Turn, gathered: Gathered<Id>): RequestData[Id];
  /** The title of what is sent, for an outcome that does not name it. */
  readonly subject?: (turn: Asked, gathered: Gathered<Id>) => string | undefined;
  /** The amount to pay, in major units. */
  readonly price?: (gathered: Gathered<Id>) => MessageFacts['price'];
  /** The body of the send, as far as the chat may know it. */
  request(turn: Asked, gathered: Gathered<Id>): KnownRequest<Id>;
  /** The masked address that its message goes to, if not the phone number. */
  readonly destination?: (turn: Turn, gathered: Gathered<Id>) => string;
  /** Whether a success has left something to do, for which the same request is sent once more. */
  readonly leavesMore?: (turn: Turn, interaction: Interaction) => boolean;
  /** Whether the bot writes the message, so that it can include the two digits if the service does not. */
  readonly comparesCode?: boolean;
  /** The app's waiting card, with an input that `check` submits. The shared card shows the steps. */
  readonly waiting?: (
    turn: Turn,
    interaction: Interaction,
    shown: {
      /** Where the message went, masked. */
      readonly to: string;
      /** Facts by which the customer recognises the message. */
      readonly about: MessageFacts;
      /** The two digits. */
      readonly compare?: string;
      /** The action that submits the card's input, if it has one. */
      readonly check?: CardAction;
      readonly actions: readonly CardAction[];
    },
  ) => CardMessage;
  /**
   * Takes typed words or a waiting card's input; `undefined` if they mean nothing to this app. `say`: the answer; empty if
   * the redrawn card says it, absent if the outcome will. `secret`: whether the text should be removed from the chat.
   */
  readonly answered?: (
    turn: Turn,
    interaction: Interaction,
    typed: string,
  ) => Promise<{ readonly say?: string; readonly secret?: boolean } | undefined>;
}

/** Defines an app's dialog and keeps its exact type. */
export const defineAppDialog = <Id extends AppId>(app: AppDialog<Id>) => app;
