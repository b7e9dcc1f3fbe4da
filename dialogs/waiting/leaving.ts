// Leaving a wait: the input that would end it, and the question whether to cancel the request.
import { notice } from '../../cards/index.ts';
import type { AppId } from '../../src/contract/index.ts';
import type { Interaction } from '../../src/interactions/index.ts';
import { commandIn, isUnwanted, pickedBy } from '../language/recogniser.ts';
import { say } from '../turn/activities.ts';
import type { Turn } from '../turn/turn.ts';
import type { WaitButton, WaitState } from './wait-card.ts';

type Leaving = NonNullable<WaitState['leaving']>;

/** The reason for asking whether to cancel a request: to start over, for another number, or for a missing message. */
type WhyLeave = 'restart' | 'number' | 'missing';

/**
 * Input that ends the wait, once confirmed. If the chat may not learn whether there was a message, nothing is resent:
 * the bot asks for number and initials again, which helps customers who mistyped them and reveals nothing.
 */
export const asksToLeave = (
  { input, t }: Turn,
  { blindLookup }: Interaction,
  { actions }: WaitState,
  numbered: WaitButton | undefined,
): WhyLeave | undefined => {
  const command = input.kind === 'text' ? commandIn(input.text, t) : undefined;
  if (command === 'restart' || command === 'number') return command;
  if (input.kind === 'text' && !command && isUnwanted(input.text, t)) return 'restart';
  const resend = command === 'resend' || numbered === 'resend' || (input.kind === 'action' && input.id === actions.resend);
  return blindLookup && resend ? 'missing' : undefined;
};

/** Asks whether to cancel the request of an app. */
export const askToLeave = async (turn: Turn, app: AppId, why: WhyLeave): Promise<Leaving> => {
  const { t, services } = turn;
  const leaving: Leaving = { yes: services.newId(), no: services.newId(), ...(why !== 'restart' && { renumbers: true }) };
  const numberOf = (index: number) => (turn.channel.cards ? '' : `${index + 1}. `);
  const actions = (['yes', 'no'] as const).map((name, index) => ({
    title: numberOf(index) + t(`waiting.leave.${name}`),
    id: leaving[name],
  }));
  const question = notice({ app, title: t(`waiting.leave.${why}`, { app: t(`apps.${app}.name`) }), actions }, t);
  await say(turn, question, { answer: 'expected' });
  return leaving;
};

/** Whether the customer confirms leaving; `undefined` if they were not asked, or say something else. */
export const leavesBy = ({ channel, input, t }: Turn, leaving: Leaving | undefined): boolean | undefined => {
  if (!leaving) return undefined;
  if (input.kind === 'action') return input.id === leaving.yes ? true : input.id === leaving.no ? false : undefined;
  const choices = [
    { title: t('waiting.leave.yes'), value: true, phrases: 'phrases.yes' },
    { title: t('waiting.leave.no'), value: false, phrases: 'phrases.no' },
  ] as const;
  return input.kind === 'text' ? pickedBy(input.text, { choices, numbered: channel.cards ? 0 : choices.length }, t)?.value : undefined;
};
