// The questions after something did not work out: once more, another way, or a person.
import type { AppId } from '../src/contract/index.ts';
import type { Trouble } from '../src/interactions/trouble.ts';
import { personChoice } from './agent.ts';
import type { Instead } from './app-dialog.ts';
import { offer } from './offer.ts';
import type { Choice } from './question.ts';
import { phrasesOf } from './recogniser.ts';

/** The service could not be asked, or not by this user any more. What another try cannot mend is not offered one. */
export const troubleQuestion = offer<{ readonly trouble: Trouble | 'lookups' }, 'retry' | 'agent' | 'menu'>(
  'trouble',
  (turn, { trouble }) => {
    const { t } = turn;
    const retry: Choice<'retry'> = {
      title: t('cards.buttons.again'),
      value: 'retry',
      style: 'positive',
      phrases: phrasesOf(t, 'phrases.yes'),
    };
    return {
      question: t(`trouble.${trouble}`),
      others: [
        ...(trouble === 'misconfigured' || trouble === 'lookups' ? [] : [retry]),
        ...personChoice(turn),
        { title: t('cards.buttons.menu'), value: 'menu', phrases: phrasesOf(t, 'phrases.no') },
      ],
    };
  },
);

/** The customer cannot use this app, but another does the same for them. */
export const insteadQuestion = offer<Instead, { readonly switch: AppId } | 'menu'>('instead', ({ t }, { to, because }) => ({
  question: t(`instead.${because}`),
  others: [
    { title: t(`instead.${to}`), value: { switch: to }, style: 'positive', phrases: phrasesOf(t, 'phrases.yes') },
    { title: t('cards.buttons.menu'), value: 'menu', phrases: phrasesOf(t, 'phrases.no') },
  ],
}));

/** It failed, ran out of time, or its fate is unknown. */
export const againQuestion = offer<{ readonly unknown: boolean }, 'again' | 'another' | 'agent'>('again', (turn, { unknown }) => ({
  question: turn.t(unknown ? 'again.unknown' : 'again.text'),
  others: [
    { title: turn.t('cards.buttons.again'), value: 'again', style: 'positive', phrases: phrasesOf(turn.t, 'phrases.yes') },
    { title: turn.t('cards.buttons.another'), value: 'another', phrases: phrasesOf(turn.t, 'phrases.no') },
    ...personChoice(turn),
  ],
}));
