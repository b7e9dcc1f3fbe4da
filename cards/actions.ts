// The buttons of a card.
import type { OpenUrl, Submit } from './card.ts';
import { safeLink } from './links.ts';
import { literal } from './plain.ts';
import type { Texts } from './texts.ts';

/** Something a customer can do. `id` is opaque here: whoever shows the card knows what it stands for. */
export interface CardAction {
  readonly title: string;
  readonly id: string;
  readonly style?: 'default' | 'positive' | 'destructive';
}

/** The buttons that more than one card has, with their looks; their titles are `cards.buttons.<name>`. */
export const buttons = {
  send: 'positive',
  change: 'default',
  next: 'positive',
  check: 'positive',
  status: 'default',
  resend: 'default',
  cancel: 'default',
  again: 'positive',
  another: 'default',
  person: 'default',
  menu: 'default',
  startOver: 'default',
  help: 'default',
  yes: 'positive',
  no: 'default',
} as const satisfies Record<string, CardAction['style']>;
export type ButtonName = keyof typeof buttons;

/** One of the shared buttons, in the customer's language. */
export const button = (name: ButtonName, id: string, t: Texts): CardAction => ({
  title: t(`cards.buttons.${name}`),
  id,
  style: buttons[name],
});

/** The action as the card carries it. `inputs: 'none'` leaves the card's inputs unread, so an empty required one does not stand in the way. */
export const submit = ({ title, id, style }: CardAction, inputs?: 'none'): Submit => {
  const action = { type: 'Action.Submit', title: literal(title, 200), data: { action: id } } as const;
  const styled = style && style !== 'default' ? { ...action, style } : action;
  return inputs ? { ...styled, associatedInputs: inputs } : styled;
};

/** A button that opens an address, or none when the address is missing or not one a customer may be sent to. */
export const openLink = (title: string, address: string | undefined): OpenUrl[] => {
  const url = safeLink(address);
  return url === undefined ? [] : [{ type: 'Action.OpenUrl', title: literal(title, 100), url }];
};
