// Shows a customer who has to wait that the bot is typing.
import { faultFields } from '../src/platform/log.ts';
import type { Turn } from './turn.ts';

/** From here on (ms) an answer takes noticeably long; the SDK's ShowTypingMiddleware waits as long. */
const noticeable = 500;

/**
 * The result of work that may take a while, such as a call to the service. Most calls are answered at once, and need no
 * message of their own on the way. Not the SDK's middleware, which leaves out clicks on cards, and may show typing after
 * the answer.
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
