// The cards of every app.
import type { AppId, ResultRecord } from '../src/contract/index.ts';
import type { AppCards, CardEnding } from './app-cards.ts';
import { documentSignature } from './document-signature.ts';
import { eForm } from './e-form.ts';
import type { CardMessage } from './message.ts';
import { oneTimePasscode } from './one-time-passcode.ts';
import { passkeys } from './passkeys.ts';
import { payments } from './payments.ts';
import { type Confirm, confirm } from './questions.ts';
import type { Texts } from './texts.ts';

export const appCards = {
  passkeys,
  'one-time-passcode': oneTimePasscode,
  'document-signature': documentSignature,
  payments,
  'e-form': eForm,
} satisfies { [Id in AppId]: AppCards<Id> };

/** What each app's request is about, as far as the customer confirms it. */
export type RequestData = { [Id in AppId]: Parameters<(typeof appCards)[Id]['summary']>[0] };

/** An ending whose app is known only at run time. */
export type AnyEnding = Omit<CardEnding, 'result'> & {
  readonly result?: Pick<ResultRecord, 'app' | 'timestamp'> & Partial<ResultRecord>;
};

/** The card that tells how an interaction of any app ended. A record of another app says nothing about this one and is left out. */
export const outcomeCard = (app: AppId, { result, ...ending }: AnyEnding, t: Texts): CardMessage => {
  const cards: AppCards = appCards[app] as AppCards;
  return cards.outcome(result?.app === app ? { ...ending, result } : ending, t);
};

/** The card that asks whether a request of an app may go out. */
export const confirmCard = <Id extends AppId>(app: Id, data: RequestData[Id], actions: Confirm['actions'], t: Texts): CardMessage => {
  const cards: { [Key in AppId]: AppCards<Key, RequestData[Key]> } = appCards;
  return confirm({ app, facts: cards[app].summary(data, t), actions }, t);
};
