// Taking the customer's own message out of the chat, where the channel can.
import { faultFields } from '../src/platform/log.ts';
import type { Turn } from './turn.ts';

/** Removes the message of this turn: it holds something that should not stay in a transcript. Where it cannot be removed, it stays. */
export const takeBack = async ({ context, channel, services }: Turn): Promise<void> => {
  const { id } = context.activity;
  if (!channel.removes || !id) return;
  try {
    await context.deleteActivity(id);
  } catch (fault) {
    services.log.warn({ ...faultFields(fault), operation: 'delete' }, 'a message could not be taken out of the chat');
  }
};
