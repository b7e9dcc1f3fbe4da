// Opens webhooks: posts events, and adds the operations on undelivered ones.

import { makePost, makeWebhookAgent } from '../../platform/outgoing/webhook-post.ts';
import type { Core } from '../core/core.ts';
import { makeWebhookDispatch } from './dispatch.ts';
import { addWebhookOperations } from './routes.ts';
import { makeWebhooks } from './store.ts';

export type OpenWebhooks = ReturnType<typeof openWebhooks>;

/** Posts nothing before it is woken. Outside demo mode webhooks go to the public internet only. */
export const openWebhooks = (core: Core) => {
  const { storage, listeners, clock, demo } = core;
  const store = makeWebhooks(storage);
  const agent = makeWebhookAgent(demo);
  const posting = makeWebhookDispatch(core, store, makePost(agent, clock));
  listeners.onAny(() => posting.wake(clock.now()));
  addWebhookOperations(core, store, posting);
  return { store, posting, close: () => agent.close() };
};
