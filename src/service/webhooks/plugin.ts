// The webhooks plug-in: posts events, and adds the operations on undelivered ones.

import { makePost, makeWebhookAgent } from '../../platform/outgoing/webhook-post.ts';
import type { Scheduler } from '../../platform/time/scheduler.ts';
import type { Opening, Plugin } from '../core/plugin.ts';
import { makeWebhookDispatch } from './dispatch.ts';
import { addWebhookOperations } from './routes.ts';

export interface WebhooksPlugin extends Plugin {
  readonly posting: Scheduler;
}

/** Posts nothing before it is woken. Outside demo mode webhooks go to the public internet only. */
export const openWebhooks = (opening: Opening, documentUrl: (requestId: string) => string): WebhooksPlugin => {
  const { storage, listeners, clock, demo } = opening;
  const agent = makeWebhookAgent(demo);
  const posting = makeWebhookDispatch({ ...opening, documentUrl, post: makePost(agent, clock) });
  return {
    ports: {},
    posting,
    serve: ({ add }) => {
      listeners.onAny(() => posting.wake(clock.now()));
      addWebhookOperations({ add, webhooks: storage.webhooks, dispatch: posting, clock });
      return { schedulers: [posting] };
    },
    close: () => agent.close(),
  };
};
