// The sandbox: a gateway for demonstrations and tests that moves no money and asks for no card. It has its own storage,
// as a real one would.
import { z } from 'zod';
import { readJson } from '../../../platform/http/bounded-json.ts';
import { verifiedId } from '../../../platform/secrets/webhook-signature.ts';
import type { Random } from '../../core/secrets/random.ts';
import type { Gateway, Payment } from './gateway.ts';
import { GatewayFault } from './gateway.ts';
import type { SandboxStore } from './sandbox-store.ts';

export interface SandboxOptions {
  readonly store: SandboxStore;
  readonly random: Random;
  /** Where customers reach its page. */
  readonly publicUrl: () => URL;
  readonly webhookSecret: string;
}

const event = z.object({ checkout: z.string() });

const paymentStatus = { open: 'open', challenged: 'open', paid: 'paid', closed: 'closed' } as const;

export const makeSandbox = ({ store, random, publicUrl, webhookSecret }: SandboxOptions): Gateway => {
  const retrieve = async (id: string): Promise<Payment> => {
    const row = await store.find(id);
    const status = row && paymentStatus[row.state as keyof typeof paymentStatus];
    if (!row || !status) throw new GatewayFault('refused');
    return {
      status,
      requestId: row.request_id,
      money: { minor: BigInt(row.amount), currency: row.currency },
      transactionId: row.transaction_id ?? undefined,
      receiptUrl: undefined,
    };
  };
  return {
    name: 'sandbox',
    moves: 'nothing',
    refuses: () => undefined,
    createCheckout: async ({ key, requestId, title, money, language, backUrl, createdAt }) => {
      const { id } = await store.add({
        id: random.token(),
        request_id: requestId,
        key,
        title,
        amount: String(money.minor),
        currency: money.currency,
        language,
        back_url: backUrl,
        state: 'open',
        transaction_id: null,
        created_at: createdAt,
      });
      return { id, url: new URL(`/sandbox/${id}`, publicUrl()).href };
    },
    retrieve,
    expire: async (id) => {
      await store.move(id, ['open', 'challenged'], 'closed');
      return retrieve(id);
    },
    verifyWebhook: (raw, headers, now) => {
      const id = verifiedId(webhookSecret, raw, headers, now);
      if (id === undefined) return undefined;
      const reading = readJson(raw, 4);
      const parsed = event.safeParse('value' in reading ? reading.value : undefined);
      return { id, checkoutId: parsed.data?.checkout };
    },
  };
};
