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

export type ConfirmAnswer = 'send' | 'change' | 'cancel';

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
};
