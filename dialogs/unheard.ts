// What a caller did not hear because they had hung up: mentioned when the same number calls again (decision 0139).
import { channelOf } from '../src/platform/channels.ts';
import { say } from './activities.ts';
import type { Turn } from './turn.ts';

/** No more than anybody wants to hear at the beginning of a call. */
const most = 3;

/** Whether an interaction's chat was a call. */
const wasCalled = ({ address }: { readonly address: string }): boolean => address !== '' && channelOf(JSON.parse(address)).voice;

/**
 * Says, once, that there is news of an earlier call, and nothing of what it was about: the number of a caller can be
 * forged.
 */
export const mentionUnheard = async ({ channel, memory, services, ...turn }: Turn): Promise<void> => {
  if (!channel.voice) return;
  const number = memory.gateway?.caller ?? (await services.callerNumber(turn.context.activity));
  if (number === undefined) return;
  const unheard = (await services.interactions.undeliverableTo(number, most)).filter(wasCalled).map(({ id }) => id);
  if (unheard.length === 0) return;
  memory.unheard = unheard;
  await say({ ...turn, channel }, turn.t('speech.unheard'), { answer: 'later' });
  turn.afterwards.push(() => services.interactions.mention(unheard));
};
