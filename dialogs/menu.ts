// The root menu: the apps and a person, by button or in the customer's own words.
import { button, type CardAction, menu as menuCard } from '../cards/index.ts';
import { type AppId, appIds } from '../src/contract/index.ts';
import type { Question } from './question.ts';
import { appIn, commandIn, phrasesOf } from './recogniser.ts';

export interface MenuOptions {
  /** Said first: on a first visit, or after something was left. */
  readonly greeting?: string;
  /** The customer has seen it before. */
  readonly brief?: boolean;
}

/** The menu once more, after a sentence but without its greeting. */
const again = (sentence: string) => ({ more: { brief: true }, say: sentence });

export const menuQuestion: Question<MenuOptions, AppId | 'agent'> = {
  id: 'menu',
  ask: ({ t }, { greeting, brief = false }) => ({
    choices: [
      ...appIds.map((app) => ({ title: t(`apps.${app}.name`), value: app, phrases: [app] })),
      { title: t('cards.buttons.person'), value: 'agent', phrases: phrasesOf(t, 'phrases.agent') },
    ],
    show: (actions) =>
      menuCard(
        {
          apps: appIds.map((app, index) => ({ app, action: actions[index] as CardAction })),
          person: button('person', actions.at(-1)?.id as string, t),
          ...(greeting !== undefined && { greeting }),
          brief,
        },
        t,
      ),
  }),
  read: ({ t }, typed) => {
    const app = appIn(typed, t);
    if (app) return { answer: app };
    const command = commandIn(typed, t);
    switch (command) {
      case 'agent':
        return { answer: 'agent' };
      case 'help':
        return again(t('help.question'));
      case 'restart':
        return { more: { brief: true } };
      case 'cancel':
      case 'resend':
      case 'status':
        return again(t('menu.nothingOpen'));
      case undefined:
        return again(t('menu.notUnderstood'));
      default:
        return command satisfies never;
    }
  },
};
