// The gateways' reports about messages: stored in the request's history. They end a request whose customer cannot be
// reached.

import type { ServiceContext } from '../context.ts';
import type { Endings } from '../lifecycle/endings.ts';
import type { DueRow } from '../store/due-rows.ts';
import type { Receipt } from '../store/notes.ts';

export type Receipts = ReturnType<typeof makeReceipts>;

export const makeReceipts = ({ storage, listeners, clock, log }: ServiceContext, endings: Pick<Endings, 'byItself'>) => {
  const endUnreachable = async (requestId: string, besides?: string) => {
    const request = await storage.requests.get(requestId);
    if (!request || !(await storage.notes.unreachable(request, besides))) return;
    log.warn({ component: 'delivery', interaction: requestId, app: request.app }, 'no message of a request reached its customer');
    await endings.byItself(request, 'failure');
  };

  return {
    /**
     * Keeps a receipt. Where it says that the last of a request's messages did not arrive, and nobody has opened the
     * link, the request fails (docs/decisions/0010). `false`: it was known, late, or of no request of ours.
     */
    take: async (receipt: Omit<Receipt, 'at'>): Promise<boolean> => {
      const { requestId, state, code } = receipt;
      const news = await storage.notes.receive({ ...receipt, at: clock.now() });
      log.info({ component: 'delivery', interaction: requestId, channel: receipt.channel, state, code }, 'a receipt of a message');
      if (news) listeners.notify(requestId);
      // Also for a repeated receipt: the process may have stopped between the two steps.
      if (state === 'undelivered' || state === 'failed') await endUnreachable(requestId);
      return news;
    },

    /** The same for a message that could not be sent. It may be repeated. */
    giveUp: async (due: DueRow<'deliveries'>, code: string) => {
      const { id, request_id: requestId, announced, created_at: sentAt } = due;
      const request = await storage.requests.get(requestId);
      if (!request) return;
      const channel = announced === 1 ? request.channel : 'sms';
      const receipt = { requestId, messageId: id, channel, sentAt, state: 'failed', code } as const;
      if (await storage.notes.receive({ ...receipt, at: clock.now() })) listeners.notify(requestId);
      await endUnreachable(requestId, id);
    },
  };
};
