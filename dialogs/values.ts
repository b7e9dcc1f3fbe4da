// What the waterfall keeps between its steps, and how long it can be relied on.
import type { DialogContext } from 'botbuilder-dialogs';
import type { AppId } from '../src/contract/index.ts';
import type { AppDialog, AppOptions, Gathered } from './app-dialog.ts';
import { answerable, confirmQuestion } from './confirm.ts';
import type { CustomerHandle } from './customer.ts';
import { type Turn, turnOf } from './turn.ts';

/** What is gathered step by step; plain JSON. */
export type Values = { -readonly [Key in keyof Gathered]?: Gathered[Key] } & {
  interactionId?: string;
  /** The names under which the service refused what was filled in. */
  refused?: readonly string[];
  /** Who was found. */
  customers?: readonly CustomerHandle[];
  /** When the service was asked, epoch milliseconds. */
  foundAt?: number;
};

/** What a second round need not ask again. */
export const known = ({ phoneNumber, customer }: Values): AppOptions => ({
  ...(phoneNumber !== undefined && { phoneNumber }),
  ...(customer && { customerRef: customer.id }),
});

/** The same, with what was chosen and filled in. */
export const settled = (values: Values): AppOptions => {
  const { chosen, filled } = values;
  return { ...known(values), ...(chosen !== undefined && { before: { chosen, ...(filled && { filled }) } }) };
};

/** The same, for those who want to go over it once more. */
export const reopened = (values: Values): AppOptions => {
  const { before, ...options } = settled(values);
  const { refused = [] } = values;
  return { ...options, ...(before && { before: { ...before, again: true, ...(refused.length > 0 && { refused }) } }) };
};

/** Whether what was chosen is offered no more. */
export const isGone = <Id extends AppId>({ choose }: AppDialog<Id>, turn: Turn, values: Values): boolean =>
  choose !== undefined && !choose.offered(turn, values as Gathered<Id>).includes(values.chosen ?? '');

/** What was gathered, where what was chosen has gone while it was filled in or confirmed and an answer comes now. */
export const goneIn = <Id extends AppId>(app: AppDialog<Id>, inner: DialogContext): Values | undefined => {
  const turn = turnOf(inner.context);
  const open = inner.activeDialog?.id;
  const values: Values = inner.stack.at(0)?.state.values ?? {};
  const asked = open === confirmQuestion.id || open === app.fill?.question.id;
  return asked && turn.input.kind !== 'none' && isGone(app, turn, values) ? values : undefined;
};

/** Whether what the service offered then may be something else now. */
export const isOld = ({ services }: Turn, { foundAt = -Infinity }: Values): boolean => services.clock.now() - foundAt > answerable;
