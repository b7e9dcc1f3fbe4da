// A message to a customer, and the port through which it leaves.
import { z } from 'zod';
import { appIds } from '../../contract/index.ts';
import { languages } from '../languages.ts';

/** A message as it is stored on its way, sealed: it carries the link or the code. */
export const message = z.object({
  id: z.string(),
  requestId: z.string(),
  app: z.enum(appIds),
  channel: z.enum(['email', 'sms']),
  to: z.string(),
  name: z.string(),
  language: z.enum(languages),
  subject: z.string().optional(),
  text: z.string(),
  link: z.string().optional(),
  code: z.string().optional(),
  sentAt: z.number(),
});
export type Message = z.output<typeof message>;

/** What became of handing a message over. A refusal that is not `final` is worth another attempt, not before `retryAfterMs`. */
export type Handover =
  | { readonly accepted: true }
  | { readonly accepted: false; readonly final: boolean; readonly code: string; readonly retryAfterMs?: number };

/**
 * A way to the customer. The same message (by `id`) may be handed over twice, when the process stopped before it could note the first time.
 * What it throws counts as a refusal worth another attempt.
 */
export interface Delivery {
  deliver(message: Message, signal: AbortSignal): Promise<Handover>;
}
