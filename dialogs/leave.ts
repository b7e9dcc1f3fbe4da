// "Menu" while a request waits: a way out that the request would not survive, so the customer is asked first.
import { notice } from '../cards/index.ts';
import type { AppId } from '../src/contract/index.ts';
import { pickedBy } from './question.ts';
import { phrasesOf } from './recogniser.ts';
import { say } from './say.ts';
import type { Turn } from './turn.ts';

/** The action ids of yes and no. */
export interface Leaving {
  readonly yes: string;
  readonly no: string;
}

/** Asks whether to withdraw the request of an app. */
export const askToLeave = async (turn: Turn, app: AppId): Promise<Leaving> => {
  const { t, services } = turn;
  const leaving = { yes: services.newId(), no: services.newId() };
  const actions = (['yes', 'no'] as const).map((name) => ({ title: t(`waiting.leave.${name}`), id: leaving[name] }));
  await say(turn, notice({ app, title: t('waiting.leave.text', { app: t(`apps.${app}.name`) }), actions }, t));
  return leaving;
};

/** Whether the customer leaves, once asked; `undefined` where they were not, or say something else. */
export const leavesBy = ({ input, t }: Turn, leaving: Leaving | undefined): boolean | undefined => {
  if (!leaving) return undefined;
  if (input.kind === 'action') return input.id === leaving.yes ? true : input.id === leaving.no ? false : undefined;
  const choices = [
    { title: t('waiting.leave.yes'), value: true, phrases: phrasesOf(t, 'phrases.yes') },
    { title: t('waiting.leave.no'), value: false, phrases: phrasesOf(t, 'phrases.no') },
  ];
  return input.kind === 'text' ? pickedBy(input.text, { choices })?.value : undefined;
};
