// What will happen, before it does.
import type { AppId } from '../src/contract/index.ts';
import type { CardAction } from './actions.ts';
import { keyOf, nameKeys } from './app-cards.ts';
import { eyebrow, type Fact, factRows, heading, paragraph } from './elements.ts';
import { type CardMessage, factLines, message } from './message.ts';
import type { Texts } from './texts.ts';

export interface Confirm {
  readonly app: AppId;
  /** The app's own summary of the request. */
  readonly facts: readonly Fact[];
  /** Send, change, cancel. */
  readonly actions: readonly CardAction[];
}

const titles = keyOf((app) => `cards.${app}.confirm.title`);
const texts = keyOf((app) => `cards.${app}.confirm.text`);

/** Asks whether a request may go out. */
export const confirm = ({ app, facts, actions }: Confirm, t: Texts): CardMessage => {
  const title = t(titles[app]);
  const text = t(texts[app]);
  return message(
    {
      body: [eyebrow(t(nameKeys[app])), heading(title), paragraph(text, { spacing: 'Small' }), ...factRows(facts)],
      lines: [`${title} ${text}`, ...factLines(facts)],
      actions,
    },
    t,
  );
};
