// Webhooks, put together: the connections they leave by, and their pace.

import type { Scheduler } from '../core/scheduler.ts';
import { makeWebhookDispatch, type WebhookDispatchOptions } from './dispatch.ts';
import { makePost, makeWebhookAgent } from './post.ts';

/** Begins nothing before it is woken. Outside demo mode webhooks go to the public net alone. */
export const openWebhooks = ({ demo, ...options }: Omit<WebhookDispatchOptions, 'post'> & { readonly demo: boolean }): Scheduler => {
  const agent = makeWebhookAgent(demo);
  const dispatch = makeWebhookDispatch({ ...options, post: makePost(agent, options.clock) });
  return {
    ...dispatch,
    stop: async () => {
      await dispatch.stop();
      await agent.close();
    },
  };
};
