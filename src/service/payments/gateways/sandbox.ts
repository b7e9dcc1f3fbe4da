// The sandbox: a gateway for demonstrations and tests that moves no money and asks for no card. It has its own storage,
// as a real one would.
import type { ServiceContext } from '../../core/context.ts';
import { type Gateway, GatewayFault, type Payment, verifySigned } from './gateway.ts';
import type { SandboxStore } from './sandbox-store.ts';

const paymentStatus = { open: 'open', challenged: 'open', paid: 'paid', closed: 'closed' } as const;

export const makeSandbox = (
  { random, publicUrl }: Pick<ServiceContext, 'publicUrl' | 'random'>,
  store: SandboxStore,
  webhookSecret: string,
): Gateway => {
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
    verifyWebhook: verifySigned(webhookSecret),
  };
};
