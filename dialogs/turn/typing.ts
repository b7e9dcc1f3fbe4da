// Shows a customer who has to wait that the bot is typing.
import { faultFields } from '../../src/platform/log.ts';
import type { Turn } from './turn.ts';

/** An answer that takes longer than this (ms) is noticed. */
const noticeable = 500;

/**
 * The result of work that may take a while, such as a call to the service. Most calls are answered sooner than typing
 * could be shown, which takes a round trip to the channel of its own.
 */
export const showingTyping = async <Result>({ context, services }: Turn, work: Promise<Result>): Promise<Result> => {
  let shown: Promise<unknown> | undefined;
  const timer = setTimeout(() => {
    // What was asked for has its effect all the same.
    shown = context
      .sendActivity({ type: 'typing' })
      .catch((fault) => services.log.warn({ ...faultFields(fault), operation: 'typing' }, 'typing could not be shown'));
  }, noticeable);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    await shown;
  }
};
