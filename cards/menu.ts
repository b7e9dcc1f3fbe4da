// The root menu: the apps, and a person.
import type { AppId } from '../src/contract/index.ts';
import type { CardAction } from './actions.ts';
import { type Choice, heading, pairedTiles, paragraph, tiles } from './elements.ts';
import { type CardMessage, message } from './message.ts';
import type { Texts } from './texts.ts';

export interface Menu {
  /** The apps on offer, in their order. */
  readonly apps: readonly { readonly app: AppId; readonly action: CardAction }[];
  /** The way to a person, where there is one. */
  readonly person?: CardAction;
  /** Said first, on a first visit or after something was left. */
  readonly greeting?: string;
  /** Shown before in this chat: small and without the descriptions, so that what was just told stays in view. */
  readonly brief?: boolean;
}

/** What can be done here, one tile each. */
export const menu = ({ apps, person, greeting, brief = false }: Menu, t: Texts): CardMessage => {
  const title = greeting ?? t('cards.menu.title');
  const text = t('cards.menu.text');
  const choices: Choice[] = [
    ...apps.map(({ app, action }) => ({ action, ...(!brief && { subtitle: t(`apps.${app}.description`) }) })),
    ...(person ? [{ action: person, ...(!brief && { subtitle: t('cards.menu.person') }) }] : []),
  ];
  return message(
    {
      body: [
        heading(title),
        paragraph(text, { isSubtle: true, spacing: 'Small' }),
        brief ? pairedTiles(choices) : tiles(choices, 'unnumbered'),
      ],
      lines: [`${title} ${text}`, ...choices.map(({ action, subtitle }) => `– ${[action.title, subtitle].filter(Boolean).join(': ')}`)],
    },
    t,
  );
};
