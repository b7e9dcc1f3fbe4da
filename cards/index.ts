// The cards by app, and those that all apps share.
import type { AppId, ResultRecord } from '../src/contract/index.ts';
import type { AppCards, Ending, RequestData } from './app-cards.ts';
import { type Confirm, confirm } from './confirm.ts';
import { documentSignature, shownValue } from './document-signature.ts';
import { eForm } from './e-form.ts';
import type { CardMessage } from './message.ts';
import { oneTimePasscode } from './one-time-passcode.ts';
import { passkeys } from './passkeys.ts';
import { payments } from './payments.ts';
import type { Texts } from './texts.ts';

export const appCards = {
  passkeys,
  'one-time-passcode': oneTimePasscode,
  'document-signature': documentSignature,
  payments,
  'e-form': eForm,
} satisfies { [Id in AppId]: AppCards<Id> };

/** An ending whose app is known only at run time. */
export type AnyEnding = Omit<Ending, 'result'> & {
  readonly result?: Pick<ResultRecord, 'app' | 'timestamp'> & Partial<ResultRecord>;
};

/** The card that tells how an interaction of any app ended. A record of another app says nothing about this one and is left out. */
export const outcomeCard = (app: AppId, { result, ...ending }: AnyEnding, t: Texts): CardMessage => {
  const cards: AppCards = appCards[app] as AppCards;
  return cards.outcome(result?.app === app ? { ...ending, result } : ending, t);
};

/** The card that asks whether a request of an app may go out. */
export const confirmCard = <Id extends AppId>(app: Id, data: RequestData[Id], actions: Confirm['actions'], t: Texts): CardMessage => {
  const cards: { [Key in AppId]: AppCards<Key> } = appCards;
  return confirm({ app, facts: cards[app].summary(data, t), actions }, t);
};

export { type ButtonName, button, type CardAction } from './actions.ts';
export { agent } from './agent.ts';
export type { Addressee, AppCards, Ending, EndingStatus, RequestData } from './app-cards.ts';
export type { Card } from './card.ts';
export { choices } from './choices.ts';
export {
  documentVariables,
  fault,
  labelOf,
  readVariables,
  type VariableEntry,
  type VariableFault,
  withHint,
} from './document-variables.ts';
export { menu } from './menu.ts';
export type { CardMessage } from './message.ts';
export type { MessageFacts } from './message-facts.ts';
export { apology, notice, notSent, unresolved, verifiedLate } from './notice.ts';
export { codeInput, enterCode } from './one-time-passcode.ts';
export { isDeclined } from './outcome.ts';
export type { Texts, TextValues } from './texts.ts';
export { type Waiting, waiting } from './waiting.ts';
export { shownValue };
