// A question with its possible answers: which customer, document, product or form.
import type { AppId } from '../src/contract/index.ts';
import type { CardAction } from './actions.ts';
import { nameKeys } from './app-cards.ts';
import { type Choice, eyebrow, heading, paragraph, tiles } from './elements.ts';
import { type CardMessage, message } from './message.ts';
import type { Texts } from './texts.ts';

export interface Choices {
  readonly app?: AppId;
  readonly question: string;
  readonly text?: string;
  /** Numbered from 1 in the order given, so that a number can be typed. */
  readonly choices: readonly Choice[];
  /** What can be done instead of choosing. */
  readonly actions?: readonly CardAction[];
}

/** Asks for one of several things. Strings about customers are given as they may be shown: masked. */
export const choices = ({ app, question, text, choices: offered, actions = [] }: Choices, t: Texts): CardMessage => {
  const hint = text ?? t('cards.choices.text');
  return message(
    {
      body: [
        ...(app ? [eyebrow(t(nameKeys[app]))] : []),
        heading(question),
        paragraph(hint, { isSubtle: true, spacing: 'Small' }),
        tiles(offered, 'numbered'),
      ],
      lines: [
        `${question} ${hint}`,
        ...offered.map(
          ({ action, subtitle, aside }, index) =>
            `${index + 1}. ${[action.title, subtitle, aside].filter((part) => part !== undefined).join(' – ')}`,
        ),
      ],
      actions,
    },
    t,
  );
};
