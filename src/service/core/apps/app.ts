// What an app is to the service: the shape that the five files beside this one fill in.
import type { z } from 'zod';
import type { AppId, Apps, BootstrapResponse, SendResponse } from '../../../contract/index.ts';
import type { Html } from '../../../platform/html.ts';
import type { FieldError } from '../../../platform/http-problem.ts';
import type { Account } from '../accounts.ts';
import type { Catalogue, CatalogueCustomer } from '../catalogue/catalogue.ts';
import type { MakeDocument } from '../documents/sheet.ts';
import type { Checked } from '../issues.ts';
import type { Language } from '../languages.ts';
import type { AssetName, Assets } from '../pages/assets.ts';
import type { Seal } from '../seal.ts';
import type { Passkeys } from '../store/passkeys.ts';
import type { Channel, Request } from '../store/request.ts';
import type { Recipient } from '../store/sealed-details.ts';
import type { Effect } from '../store/undoable.ts';
import type { Texts } from '../texts.ts';
import type { Facts } from '../trail/chain.ts';
import type { EventMessage } from '../websocket/messages.ts';

/** The body of an app's send, checked against the contract. */
export type SendBody<Id extends AppId> = z.output<Apps[Id]['operations']['send']['request']>;
/** The fields an app adds to a result record. */
export type ResultFields<Id extends AppId> = z.output<z.ZodObject<Apps[Id]['resultFields']>>;

interface AcceptContext {
  readonly catalogue: Catalogue;
  readonly customer: CatalogueCustomer;
  /** Who takes the money of payments. */
  readonly gateway: string;
  /** What the customer is written to in. */
  readonly language: Language;
  /** Texts in a language, or in the nearest that is spoken here. */
  readonly texts: (language: string) => Texts;
}

/** What an app may look at to tell more of its customers. */
export interface ListContext {
  readonly passkeys: Pick<Passkeys, 'lastUse' | 'ofCustomers'>;
  readonly demo: boolean;
}

/** What a success is made with. */
export interface ProduceContext {
  readonly request: Pick<Request, 'id' | 'recipients'>;
  readonly texts: Texts;
  readonly account: Account;
  readonly at: number;
  readonly makeDocument: MakeDocument;
  readonly seal: Seal;
}

interface MessageContext {
  readonly texts: Texts;
  readonly account: Account;
  /** Where the device page is; empty for an app that has none. */
  readonly link: string;
  /** The passcode; empty for an app that has none. */
  readonly code: string;
  /** Two digits that the customer's chat shows too. */
  readonly number: string;
  /** The host that a passcode is bound to. */
  readonly host: string;
  /** How long the request can be answered, in minutes. */
  readonly minutes: number;
}

interface MessageText {
  /** For channels that have one. */
  readonly subject?: string;
  /** The whole message, its link and its code included. */
  readonly text: string;
}

interface PageContext {
  readonly requestId: string;
  readonly texts: Texts;
  readonly account: Account;
  /** Where the page's scripts find what they load. */
  readonly assets: Assets;
  /** What was entered before, by field name. */
  readonly entered: Readonly<Record<string, string>>;
  /** What was wrong with it, by field name. */
  readonly errors: readonly FieldError[];
  /** The language of the catalogue's own texts. */
  readonly contentLanguage: string;
}

/** A button that posts the page's form. */
export interface PageButton {
  /** What the form's `decision` is then. */
  readonly decision: string;
  readonly label: string;
  /** Whether the page's own script has to do its part first: without it the button stays off. */
  readonly scripted?: boolean;
}

/** What differs between the device pages. */
export interface PageParts {
  readonly title: string;
  readonly lead: string;
  /** What stands between the lead and the buttons, inside the form. */
  readonly content: Html;
  /** The button that accepts; a label alone posts `accept`. */
  readonly accept: PageButton | string;
  /** What else can be done, beside declining. */
  readonly others?: readonly PageButton[];
  /** What the page loads beside the script that every page has. */
  readonly scripts?: readonly AssetName[];
  /** What fields are called, by name, where what is wrong with them does not say it. */
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * Whether what is entered is kept in the tab while the request is open. Never where a code or a card is asked for.
   */
  readonly drafted?: boolean;
  /** A remark under the buttons. */
  readonly note?: string;
}

export interface AppDefinition<Id extends AppId, Input> {
  readonly id: Id;
  /** What is stored of a send, and read back. */
  readonly input: z.ZodType<Input>;
  readonly channel: Channel;
  /** How the customer answers: on a page behind a link, or by returning a code. */
  readonly answeredBy: 'code' | 'link';
  /** What the documents say of its operations. */
  readonly describes: {
    readonly send: string;
    /** Of the bootstrap by POST, where that is more than the other way to call the one by GET. */
    readonly bootstrap?: string;
  };
  /** Whether accepting leads to another place, where the request may end while its page is still open. */
  readonly endsElsewhere?: boolean;
  /** What a bootstrap answers of customers, where it is more than who they are. */
  lists?(accountId: string, customers: readonly CatalogueCustomer[], context: ListContext): Promise<BootstrapResponse<Id>>;
  /** What a bootstrap answers beside the customers, in a language where it is written in that. */
  offers(catalogue: Catalogue, language: string): object;
  /**
   * Checks a send against the catalogue and keeps what is needed later, so that later changes of the catalogue do not
   * affect it.
   */
  accept(body: SendBody<Id>, context: AcceptContext): Checked<Input>;
  /** Who gets the message, when not the customer's own phone. */
  recipients?(body: SendBody<Id>): readonly Recipient[];
  /** What a send answers. */
  answer(sent: { requestId: string; wsToken: string }, texts: Texts): SendResponse<Id>;
  message(input: Input, context: MessageContext): MessageText;
  /** The device page, for an app that has one. */
  page?(input: Input, context: PageContext): PageParts;
  /**
   * Reads what the customer entered; `newId` names what comes of it. Absent where accepting leads to another page,
   * which ends it.
   */
  complete?(input: Input, entered: Readonly<Record<string, string>>, context: { texts: Texts; newId(): string }): Checked<ResultFields<Id>>;
  /**
   * Makes what is stored with a success besides its record, from what was entered; from nothing for an automatic
   * success.
   */
  produce?(input: Input, entered: Readonly<Record<string, string>>, context: ProduceContext): Promise<Effect>;
  /** What is added to the record of a success whenever it is read: links that expire, which must not be stored. */
  links?(request: Pick<Request, 'id'>, context: { documentUrl(requestId: string): string }): Partial<ResultFields<Id>>;
  /** The fields of a request that succeeds automatically (test numbers). */
  sample(input: Input, newId: () => string): ResultFields<Id>;
  /** The fields known whatever the ending. */
  known(input: Input): Partial<ResultFields<Id>>;
  /** What the customer is shown, as the audit trail keeps it: a few words or numbers, or a digest. Nothing secret. */
  shown(input: Input): Facts;
  /** What the app adds to its event frames; `result` is there once it is finished. */
  frame?(input: Input, result: Partial<ResultFields<Id>> | undefined): Pick<EventMessage['payload'], 'e-form'>;
}

/** A stored request's own part: everything the app knows to do with it. */
export interface Task {
  message(context: MessageContext): MessageText;
  page(context: PageContext): PageParts | undefined;
  complete(entered: Readonly<Record<string, string>>, context: { texts: Texts; newId(): string }): Checked<object> | undefined;
  produce(entered: Readonly<Record<string, string>>, context: ProduceContext): Promise<Effect> | undefined;
  sample(newId: () => string): object;
  known(): object;
  shown(): Facts;
  frame(result: unknown): Pick<EventMessage['payload'], 'e-form'>;
}

/** An app as the rest of the service uses it, the type of its input closed in. */
export interface ServiceApp<Id extends AppId = AppId>
  extends Pick<
    AppDefinition<Id, unknown>,
    'answer' | 'answeredBy' | 'channel' | 'describes' | 'endsElsewhere' | 'id' | 'links' | 'lists' | 'offers' | 'recipients'
  > {
  accept(body: SendBody<Id>, context: AcceptContext): Checked<unknown>;
  /** @throws {z.ZodError} when what is stored is not what the app stores. */
  open(input: unknown): Task;
}

/** States an app of the service. */
export const defineServiceApp = <Id extends AppId, Input>(definition: AppDefinition<Id, Input>): ServiceApp<Id> => ({
  ...definition,
  open: (stored) => {
    const input = definition.input.parse(stored);
    return {
      message: (context) => definition.message(input, context),
      page: (context) => definition.page?.(input, context),
      complete: (entered, context) => definition.complete?.(input, entered, context),
      produce: (entered, context) => definition.produce?.(input, entered, context),
      sample: (newId) => definition.sample(input, newId),
      known: () => definition.known(input),
      shown: () => definition.shown(input),
      frame: (result) => definition.frame?.(input, result as Partial<ResultFields<Id>> | undefined) ?? {},
    };
  },
});
