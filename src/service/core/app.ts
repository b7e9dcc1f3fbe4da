// The shape of an app in the service. Each of the five fills it in, in a folder of its own.
import type { z } from 'zod';
import type { AppId, Apps, BootstrapResponse, SendResponse } from '../../contract/index.ts';
import type { FieldError } from '../../platform/http/http-problem.ts';
import type { Html } from '../../platform/text/html.ts';
import type { Language } from '../../platform/text/languages.ts';
import type { Account } from './accounts.ts';
import type { Facts } from './audit/actions.ts';
import type { Catalogue, CatalogueCustomer } from './catalogue/catalogue.ts';
import type { Checked } from './issues.ts';
import type { AssetName, Assets } from './pages/assets.ts';
import type { Channel, Request } from './store/request.ts';
import type { Recipient } from './store/sealed-columns.ts';
import type { Effect } from './store/undoable.ts';
import type { Texts } from './texts.ts';
import type { EventMessage } from './websocket/messages.ts';

/** The body of an app's send, checked against the contract. */
export type SendBody<Id extends AppId> = z.output<Apps[Id]['operations']['send']['request']>;
/** The fields an app adds to a result record. */
export type ResultFields<Id extends AppId> = z.output<z.ZodObject<Apps[Id]['resultFields']>>;

/** What a customer entered, by field name. */
type Entered = Readonly<Record<string, string>>;
type CompleteContext = { readonly texts: Texts; newId(): string };

/** The inputs of a success. */
export interface ProduceContext {
  readonly request: Pick<Request, 'id' | 'recipients'>;
  readonly texts: Texts;
  readonly account: Account;
  readonly at: number;
}

export interface MessageContext {
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

export interface PageContext {
  readonly requestId: string;
  readonly texts: Texts;
  readonly account: Account;
  /** The addresses of the files that the page's scripts load. */
  readonly assets: Assets;
  /** What was entered before. */
  readonly entered: Entered;
  /** What was wrong with it, by field name. */
  readonly errors: readonly FieldError[];
  /** The language of the catalogue. */
  readonly contentLanguage: string;
}

/** A button that posts the page's form. */
export interface PageButton {
  /** The value of the form's `decision`. */
  readonly decision: string;
  readonly label: string;
  /** Whether the page's script must act first: without it the button stays disabled. */
  readonly scripted?: boolean;
}

/** What differs between the device pages. */
export interface PageParts {
  readonly title: string;
  readonly lead?: string;
  /** The part of the form between the lead and the buttons. */
  readonly content: Html;
  /** The button that accepts; a label alone posts `accept`. */
  readonly accept: PageButton | string;
  /** Other buttons. */
  readonly others?: readonly PageButton[];
  /** The way back to the step before. It takes the place of declining, which the first step offers. */
  readonly back?: PageButton;
  /** Scripts of the page, besides the one of every page. */
  readonly scripts?: readonly AssetName[];
  /** The labels of fields, by name, for errors that do not contain them. */
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * Whether input is kept in the tab while the request is open. Never for a code or a card.
   */
  readonly drafted?: boolean;
  /** A remark under the buttons. */
  readonly note?: string;
  /** What few customers want to know, closed until they ask. */
  readonly details?: string;
}

/** How a device page ends, in the words of its app. */
export interface EndWords {
  /** What a success has done. */
  readonly done: string;
  /** What it was about, unless `done` says so. */
  readonly subject?: string;
  /** What has not been done, because the customer declined. */
  readonly declined: string;
  /** Asked before a customer declines. */
  readonly decline: string;
}

/** The download after a success, if there is one, and its address, which is valid `until` an instant. */
export type Keepsake = (request: Pick<Request, 'app' | 'id'>, texts: Texts, until: number) => Html | undefined;

export interface AppDefinition<Id extends AppId, Input> {
  readonly id: Id;
  /** The stored part of a send. */
  readonly input: z.ZodType<Input>;
  readonly channel: Channel;
  /** How the customer answers: on a page behind a link, or by returning a code. */
  readonly answeredBy: 'code' | 'link';
  /** The documentation of its operations. */
  readonly describes: {
    readonly send: string;
    /** For the bootstrap by POST, if it does more than the one by GET. */
    readonly bootstrap?: string;
  };
  /** Whether accepting leads to another site, where the request may end while its page is still open. */
  readonly endsElsewhere?: boolean;
  /** The customers in a bootstrap's answer, if there is more than their names. */
  lists?(accountId: string, customers: readonly CatalogueCustomer[]): Promise<BootstrapResponse<Id>>;
  /** The rest of a bootstrap's answer, in a language if it is available. */
  offers(catalogue: Catalogue, language: string): object;
  /**
   * Checks a send against the catalogue, and stores what is needed later, so that catalogue changes do not affect it.
   */
  accept(
    body: SendBody<Id>,
    context: {
      readonly catalogue: Catalogue;
      readonly customer: CatalogueCustomer;
      /** The language for messages to the customer. */
      readonly language: Language;
      /** The texts in a language, or in the nearest available one. */
      readonly texts: (language: string) => Texts;
    },
  ): Checked<Input>;
  /** The recipients, if not the customer's phone. */
  recipients?(body: SendBody<Id>): readonly Recipient[];
  /** The answer to a send. */
  answer(sent: { requestId: string; wsToken: string }, texts: Texts): SendResponse<Id>;
  /** `subject`: for channels that have one. `text`: the whole message, its link and its code included. */
  message(input: Input, context: MessageContext): { readonly subject?: string; readonly text: string };
  /** The device page, for an app that has one. */
  page?(input: Input, context: PageContext): PageParts;
  /** The words around the end of its page; absent if it has none. */
  ends?(input: Input, texts: Texts): EndWords;
  /**
   * Reads the customer's input; `newId` generates the id of the result. Absent if accepting leads to another page,
   * which ends the request.
   */
  complete?(input: Input, entered: Entered, context: CompleteContext): Checked<ResultFields<Id>>;
  /**
   * Creates what a success stores besides its record, from the customer's input; an automatic success has none.
   */
  produce?(input: Input, entered: Entered, context: ProduceContext): Promise<Effect>;
  /** Added to the record of a success at every read: links that expire, which must not be stored. */
  links?(request: Pick<Request, 'id'>): Partial<ResultFields<Id>>;
  /** Closes what is still open elsewhere before a request ends without success. It may end the request itself. */
  withdraw?(request: Request): Promise<void>;
  /** The download that customers get at the end. */
  keepsake?: Keepsake;
  /** The fields of a request that succeeds automatically (test numbers). */
  sample(input: Input, newId: () => string): ResultFields<Id>;
  /** The fields known whatever the ending. */
  known(input: Input): Partial<ResultFields<Id>>;
  /** What the customer sees, for the audit trail: a few words or numbers, or a digest. Nothing secret. */
  shown(input: Input): Facts;
  /** Additions to the app's event frames; `result` is present once it has finished. */
  frame?(input: Input, result: Partial<ResultFields<Id>> | undefined): Pick<EventMessage['payload'], 'e-form'>;
}

/** Defines an app of the service. */
export const defineServiceApp = <Id extends AppId, Input>(definition: AppDefinition<Id, Input>) => ({
  ...definition,
  /** The app's part of a stored request: its functions bound to it. @throws {z.ZodError} if the value is not this app's. */
  open: (stored: unknown) => {
    const input = definition.input.parse(stored);
    return {
      message: (context: MessageContext) => definition.message(input, context),
      page: (context: PageContext) => definition.page?.(input, context),
      /** @throws {TypeError} if the app has no page. */
      ends: (texts: Texts): EndWords => {
        const words = definition.ends?.(input, texts);
        if (!words) throw new TypeError(`${definition.id} has no page`);
        return words;
      },
      complete: (entered: Entered, context: CompleteContext): Checked<object> | undefined => definition.complete?.(input, entered, context),
      produce: (entered: Entered, context: ProduceContext) => definition.produce?.(input, entered, context),
      sample: (newId: () => string): object => definition.sample(input, newId),
      known: (): object => definition.known(input),
      shown: () => definition.shown(input),
      frame: (result: unknown) => definition.frame?.(input, result as Partial<ResultFields<Id>> | undefined) ?? {},
    };
  },
});

/** An app for the rest of the service, without the type of its input. */
export type ServiceApp<Id extends AppId = AppId> = ReturnType<typeof defineServiceApp<Id, unknown>>;

/** The apps by identifier. */
export type ServiceApps = { readonly [Id in AppId]: ServiceApp<Id> };

/** A request's own part, as its app reads it. */
export type TaskOf = (request: Pick<Request, 'app' | 'input'>) => ReturnType<ServiceApp['open']>;
