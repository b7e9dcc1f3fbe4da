// The last question before anything leaves the chat.
import { confirmCard, type RequestData } from '../cards/index.ts';
import type { AppId } from '../src/contract/index.ts';
import type { Choice, Question } from './question.ts';
import { phrasesOf } from './recogniser.ts';

export interface ConfirmOptions<Id extends AppId = AppId> {
  readonly app: Id;
  readonly about: RequestData[Id];
  /** Whether there is anything to choose differently. */
  readonly changeable: boolean;
}

/** `late`: to send it, but what was confirmed may not be so any more. */
export type ConfirmAnswer = 'send' | 'change' | 'cancel' | 'late';

/** How long (ms) an answer counts: what is offered, and who reads the chat, may be others later. */
export const answerable = 15 * 60_000;

export const confirmQuestion: Question<ConfirmOptions, ConfirmAnswer> = {
  id: 'confirm',
  ask: ({ t }, { app, about, changeable }) => {
    const change: Choice = { title: t('cards.buttons.change'), value: 'change', phrases: phrasesOf(t, 'phrases.change') };
    return {
      choices: [
        { title: t('cards.buttons.send'), value: 'send', style: 'positive', phrases: phrasesOf(t, 'phrases.yes') },
        ...(changeable ? [change] : []),
        { title: t('cards.buttons.cancel'), value: 'cancel', phrases: phrasesOf(t, 'phrases.no') },
      ],
      show: (actions) => confirmCard(app, about, actions, t),
    };
  },
  submit: (_turn, _fields, picked, _options, age) => ({
    answer: picked === 'send' && age > answerable ? 'late' : (picked as ConfirmAnswer),
  }),
};
