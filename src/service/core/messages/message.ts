// A message to a customer, and the port through which it leaves.
import { z } from 'zod';
import { appIds } from '../../../contract/index.ts';
import { languages } from '../../../platform/text/languages.ts';
import type { Channel } from '../store/request.ts';

/** A message as it is stored on its way, sealed: it carries the link or the code. */
export const message = z.object({
  id: z.string(),
  requestId: z.string(),
  /** The sender's account. Absent in messages of an earlier version. */
  accountId: z.string().optional(),
  app: z.enum(appIds),
  channel: z.enum(['email', 'sms']),
  to: z.string(),
  name: z.string(),
  language: z.enum(languages),
  subject: z.string().optional(),
  text: z.string(),
  /** Two digits that the customer's chat shows too. Left out of messages that an earlier version stored. */
  number: z.string().optional(),
  link: z.string().optional(),
  code: z.string().optional(),
  sentAt: z.number(),
});
export type Message = z.output<typeof message>;

/** The result of a delivery. */
export type Handover =
  /** `reached`: the delivery status, if the gateway reports it. `reference`: the gateway's id of the message. */
  | { readonly accepted: true; readonly reached?: 'queued' | 'sent'; readonly reference?: string | undefined }
  /**
   * A refusal that is not `final` is worth another attempt, but not before `retryAfterMs`. `unknown`: the answer was
   * lost, so the message may have arrived.
   */
  | {
      readonly accepted: false;
      readonly final: boolean;
      readonly code: string;
      readonly retryAfterMs?: number | undefined;
      readonly unknown?: boolean;
    };

/**
 * A way to the customer. The same message (by `id`) may be handed over twice if the process stopped before it could
 * record the first time. Whatever it throws counts as a retryable refusal of unknown fate.
 */
export interface Delivery {
  /** `again`: an earlier attempt may have arrived. Set only for channels that may deliver twice. */
  deliver(message: Message, signal: AbortSignal, again: boolean): Promise<Handover>;
  /**
   * Whether a message handed over twice reaches the customer twice. Attempts are then recorded before they begin.
   * Absent: no.
   */
  doubles?(channel: Channel): boolean;
  /** Whether there is a way for this channel at all. Absent: for all of them. */
  carries?(channel: Channel): boolean;
}
