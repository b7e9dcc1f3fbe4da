// The cards of every app.
import { type AppId, apps, type ResultRecord } from '../src/contract/index.ts';
import type { AppCards, CardEnding } from './app-cards.ts';
import { documentSignature } from './document-signature.ts';
import { eForm } from './e-form.ts';
import type { CardMessage } from './message.ts';
import { oneTimePasscode } from './one-time-passcode.ts';
import { passkeys } from './passkeys.ts';
import { payments } from './payments.ts';
import { type Confirm, confirm, endUnknown, verifiedLate } from './questions.ts';
import type { Texts } from './texts.ts';
import { type WaitingRequest, waitingCard } from './waiting.ts';

export const appCards = {
  passkeys,
  'one-time-passcode': oneTimePasscode,
  'document-signature': documentSignature,
  payments,
  'e-form': eForm,
} satisfies { [Id in AppId]: AppCards<Id> };

/** The content of each app's requests, as far as the customer confirms it. */
export type RequestData = { [Id in AppId]: Parameters<(typeof appCards)[Id]['summary']>[0] };

/** An ending whose app is known only at run time. */
export type AnyEnding = Omit<CardEnding, 'result'> & {
  readonly result?: Pick<ResultRecord, 'app' | 'timestamp'> & Partial<ResultRecord>;
};

/** The card of an ending of any app. A record of another app says nothing about this one and is left out. */
export const outcomeCard = (app: AppId, { result, ...ending }: AnyEnding, t: Texts): CardMessage => {
  const cards: AppCards = appCards[app] as AppCards;
  if (apps[app].verifies && ending.late && ending.status === 'success') return verifiedLate(app, t);
  return cards.outcome(result?.app === app ? { ...ending, result } : ending, t);
};

/** The card of an open request. */
export const waiting = (request: WaitingRequest, t: Texts): CardMessage => waitingCard(request, appCards[request.app] as AppCards, t);

/** The card of a request whose end is unknown. */
export const unresolved = (request: { readonly app: AppId; readonly subject?: string | undefined }, t: Texts): CardMessage => {
  const { endUnknown: text = 'cards.expired.text' }: AppCards = appCards[request.app] as AppCards;
  return endUnknown(request, text, t);
};

/** The card that asks whether an app's request may be sent, with a `note` below what it says. */
export const confirmCard = <Id extends AppId>(
  app: Id,
  data: RequestData[Id],
  actions: Confirm['actions'],
  t: Texts,
  note?: string,
): CardMessage => {
  const cards: { [Key in AppId]: AppCards<Key, RequestData[Key]> } = appCards;
  const { named, summary } = cards[app];
  const said = { ...(named && { named: named(data, t) }), ...(note !== undefined && { note }) };
  return confirm({ app, facts: summary(data, t), ...said, actions }, t);
};
