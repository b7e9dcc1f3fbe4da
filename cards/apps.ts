// The cards of every app.
import { type AppId, apps, type ResultRecord } from '../src/contract/index.ts';
import type { AppCards, CardEnding } from './app-cards.ts';
import { documentSignature } from './document-signature.ts';
import { eForm } from './e-form.ts';
import { eyebrow, factLines, factRows, heading, paragraph } from './elements.ts';
import { type CardAction, type CardMessage, message } from './message.ts';
import { oneTimePasscode } from './one-time-passcode.ts';
import { passkeys } from './passkeys.ts';
import { payments } from './payments.ts';
import { noticeOf } from './questions.ts';
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
  // Whoever was verified then is not any more.
  if (apps[app].verifies && ending.late && ending.status === 'success')
    return noticeOf(
      'verified-late',
      { app, title: t('cards.late.verified.title'), text: t('cards.late.verified.text'), tone: 'warning' },
      t,
    );
  return cards.outcome(result?.app === app ? { ...ending, result } : ending, t);
};

/** The card of an open request. */
export const waiting = (request: WaitingRequest, t: Texts): CardMessage => waitingCard(request, appCards[request.app] as AppCards, t);

/** The card of a request whose end is unknown; its link may still work. `subject`: the title of what was sent. */
export const unresolved = ({ app, subject }: { readonly app: AppId; readonly subject?: string | undefined }, t: Texts): CardMessage => {
  const { endUnknown = 'cards.expired.text' }: AppCards = appCards[app] as AppCards;
  const text = t(endUnknown, { subject: subject ?? t(`apps.${app}.name`) });
  return noticeOf('end-unknown', { app, title: t('cards.expired.title'), text, tone: 'warning' }, t);
};

/** The card that asks whether an app's request may be sent, with a `note` below what it says. */
export const confirmCard = <Id extends AppId>(
  app: Id,
  data: RequestData[Id],
  actions: readonly CardAction[],
  t: Texts,
  note?: string,
): CardMessage => {
  const cards: { [Key in AppId]: AppCards<Key, RequestData[Key]> } = appCards;
  const name = t(`apps.${app}.name`);
  const title = t(`cards.${app}.confirm.title`, cards[app].named?.(data, t));
  const text = t(`cards.${app}.confirm.text`);
  const facts = cards[app].summary(data, t);
  return message(
    {
      kind: `${app}.confirm`,
      shown: () => ({ app: name, title, text, facts, ...(note !== undefined && { note }) }),
      body: [
        eyebrow(name),
        heading(title),
        paragraph(text, { spacing: 'Small' }),
        ...(note === undefined ? [] : [paragraph(note, { spacing: 'Small', color: 'Warning' })]),
        ...factRows(facts),
      ],
      lines: [`${title}. ${text}`, note, ...factLines(facts)],
      actions,
    },
    t,
  );
};
