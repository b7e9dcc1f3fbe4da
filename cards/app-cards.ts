// What an app must be able to show: the shape that the five files named after the apps fill in.
import { type AppId, appIds, type DocumentVariable, type Product, type ResultRecord } from '../src/contract/index.ts';
import type { CardAction } from './actions.ts';
import type { Fact } from './elements.ts';
import type { CardMessage } from './message.ts';
import type { Texts } from './texts.ts';

/** Who receives a request. Both strings are given as they may be shown: masked where the reader is not known yet. */
export interface Addressee {
  readonly customer: string;
  readonly phone: string;
}

/** What each app's request is about, as far as the customer confirms it. */
export interface RequestData {
  /** Goes out by e-mail. */
  passkeys: Pick<Addressee, 'customer'> & { readonly email: string };
  'one-time-passcode': Addressee;
  'document-signature': Addressee & {
    readonly document: string;
    readonly variables: readonly DocumentVariable[];
    /** As they are sent: ISO dates, numbers with a dot, `true` and `false`. */
    readonly values: Readonly<Record<string, string>>;
  };
  payments: Addressee & { readonly product: Pick<Product, 'title' | 'description' | 'price' | 'currency'> };
  'e-form': Addressee & { readonly form: string };
}

export type EndingStatus = 'success' | 'failure' | 'timeout' | 'cancelled';

/** How an interaction ended. */
export interface Ending<Id extends AppId = AppId> {
  readonly status: EndingStatus;
  /** That it was withdrawn by others than the customer in this chat, who is told so. */
  readonly elsewhere?: boolean;
  /** That it comes after the customer was told that the end is unknown. */
  readonly late?: boolean;
  /** That nobody may say whether there was a request at all. */
  readonly unmatched?: boolean;
  /** When, epoch milliseconds; a result's own timestamp takes its place. */
  readonly at: number;
  /** The result record, or what is kept of it. It may be missing whatever the status: an ending can be decided without it. */
  readonly result?: Pick<ResultRecord<Id>, 'app' | 'timestamp'> & Partial<ResultRecord<Id>>;
  /** Whether the chat is verified for the customer: only there a document or a receipt is shown. */
  readonly verified?: boolean;
  /** What it was about, as the chat chose it: the title of the document, product or form. */
  readonly subject?: string;
  readonly actions: readonly CardAction[];
}

/** An app's own cards. */
export interface AppCards<Id extends AppId = AppId> {
  /** The facts of a request, for the customer to confirm. */
  summary(data: RequestData[Id], t: Texts): Fact[];
  /** The card of an ending. */
  outcome(ending: Ending<Id>, t: Texts): CardMessage;
}

/** A key of each app. Putting one together for every card would take longer than finding its text. */
export const keyOf = (key: (app: AppId) => string) => Object.fromEntries(appIds.map((app) => [app, key(app)])) as Record<AppId, string>;

/** What each app is called. */
export const nameKeys = keyOf((app) => `apps.${app}.name`);

/** To whom a request goes: the first facts of every summary. */
export const addresseeFacts = ({ customer, phone }: Addressee, t: Texts): Fact[] => [
  { label: t('cards.facts.customer'), value: customer },
  { label: t('cards.facts.phone'), value: phone },
];
