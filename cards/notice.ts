// Plain words with buttons: an answer, an apology, a request that did not go out.
import type { AppId } from '../src/contract/index.ts';
import type { CardAction } from './actions.ts';
import { nameKeys } from './app-cards.ts';
import type { Color } from './card.ts';
import { eyebrow, heading, marked, paragraph } from './elements.ts';
import { type CardMessage, message } from './message.ts';
import type { Texts } from './texts.ts';

export interface Notice {
  readonly app?: AppId;
  readonly title: string;
  readonly text?: string;
  readonly tone?: 'neutral' | 'good' | 'warning' | 'problem';
  readonly actions?: readonly CardAction[];
}

const marks: Record<Exclude<Notice['tone'], 'neutral' | undefined>, { mark: string; color: Color }> = {
  good: { mark: '✓', color: 'Good' },
  warning: { mark: '!', color: 'Warning' },
  problem: { mark: '✕', color: 'Attention' },
};

/** Says something, and offers what can be done about it. */
export const notice = ({ app, title, text, tone = 'neutral', actions = [] }: Notice, t: Texts): CardMessage => {
  const words = [heading(title), ...(text ? [paragraph(text, { spacing: 'Small' })] : [])];
  const mark = tone === 'neutral' ? undefined : marks[tone];
  return message(
    {
      body: [
        ...(app ? [eyebrow(t(nameKeys[app]))] : []),
        ...(mark ? [marked({ ...mark, rank: 'headline' }, words, { spacing: 'Small' })] : words),
      ],
      lines: [title, text],
      actions,
    },
    t,
  );
};

/** Says that something went wrong here, and that it is not the customer's fault. */
export const apology = (actions: readonly CardAction[], t: Texts): CardMessage =>
  notice({ title: t('cards.apology.title'), text: t('cards.apology.text'), tone: 'problem', actions }, t);

/**
 * Says that a request did not go out (`refused`: the service said no), or that it cannot be known whether it did (`unknown`), in which
 * case nothing is sent again.
 */
export const notSent = (
  { app, state, actions }: { readonly app: AppId; readonly state: 'refused' | 'unknown'; readonly actions: readonly CardAction[] },
  t: Texts,
): CardMessage =>
  notice(
    {
      app,
      title: t(`cards.notSent.${state}.title`),
      text: t(`cards.notSent.${state}.text`),
      tone: state === 'refused' ? 'problem' : 'warning',
      actions,
    },
    t,
  );

/** Says that nobody knows how a request ended, and that what was sent may still work. `subject`: what it was about. */
export const unresolved = ({ app, subject }: { readonly app: AppId; readonly subject?: string | undefined }, t: Texts): CardMessage => {
  const text = app === 'payments' ? 'cards.expired.payments' : 'cards.expired.text';
  return notice({ app, title: t('cards.expired.title'), text: t(text, { subject: subject ?? t(nameKeys[app]) }), tone: 'warning' }, t);
};

/** Says that somebody was verified when it no longer counts. */
export const verifiedLate = (app: AppId, t: Texts): CardMessage =>
  notice({ app, title: t('cards.late.verified.title'), text: t('cards.late.verified.text'), tone: 'warning' }, t);
