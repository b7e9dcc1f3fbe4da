// What an answered card leaves in the chat: the question and its answer, without buttons.
import { record } from '../../cards/index.ts';
import { faultFields } from '../../src/platform/log.ts';
import { answerClick, asActivity } from './activities.ts';
import type { Turn } from './turn.ts';

/** Marks an answer given by filling in a card's inputs. */
export const filled = Symbol('filled in');

/** What the customer did with a card: the words for what they pressed, or its inputs. Unset: they typed an answer. */
export type AnswerGiven = string | typeof filled | undefined;

/**
 * Replaces an answered card with what it `asked` and the answer, only once the turn is saved, so that an open question
 * never loses its buttons. A typed answer stands below it in the customer's own message. Filled-in values are not
 * repeated: they may be personal. There is one update per answer: channels limit calls, so a question that is asked
 * again leaves its earlier card.
 */
export const recordAnswer = async (turn: Turn, id: string, asked: readonly string[], how: AnswerGiven): Promise<void> => {
  const { afterwards, channel, context, services, t } = turn;
  if (!channel.updates) return;
  const kept = record([...asked, ...(how === undefined ? [] : [how === filled ? t('question.filled') : how])], t);
  await answerClick(turn, kept);
  // The answer to the click is shown only to the person who pressed, until they look again; so the message itself is
  // changed too.
  const replacement = asActivity(turn, channel.universalActions ? kept : kept.text);
  afterwards.push(async () => {
    try {
      await context.updateActivity({ ...replacement, id });
    } catch (fault) {
      services.log.warn({ ...faultFields(fault), operation: 'update' }, 'an answered card was not updated');
    }
  });
};
