// The sandbox: a gateway for demonstrations and tests that moves no money and asks for no card. It has its own storage,
// as a real one would.
import type { ServiceContext } from '../../core/context.ts';
import type { SandboxCheckoutTable } from '../tables.ts';
import { type Gateway, GatewayFault, type Payment, verifySigned } from './gateway.ts';

const paymentStatus = { open: 'open', challenged: 'open', paid: 'paid', closed: 'closed' } as const;

/** The state of a sandbox checkout. `challenged`: the bank asks the customer to authenticate. */
type SandboxState = keyof typeof paymentStatus;

export type Sandbox = ReturnType<typeof makeSandbox>;

export const makeSandbox = (
  { storage, random, publicUrl }: Pick<ServiceContext, 'publicUrl' | 'random' | 'storage'>,
  webhookSecret: string,
) => {
  const { db } = storage.database;
  const find = (id: string): Promise<SandboxCheckoutTable | undefined> =>
    db.selectFrom('sandbox_checkouts').selectAll().where('id', '=', id).executeTakeFirst();
  /** Changes a checkout's state. `false`: it was in none of the states in `from`. */
  const move = async (id: string, from: readonly SandboxState[], to: SandboxState, transactionId?: string): Promise<boolean> => {
    const row = await db
      .updateTable('sandbox_checkouts')
      .set({ state: to, ...(transactionId !== undefined && { transaction_id: transactionId }) })
      .where('id', '=', id)
      .where('state', 'in', from)
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  };
  const retrieve = async (id: string): Promise<Payment> => {
    const row = await find(id);
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
  const gateway: Gateway = {
    name: 'sandbox',
    refuses: () => undefined,
    createCheckout: async ({ key, requestId, title, money, language, backUrl, createdAt }) => {
      await db
        .insertInto('sandbox_checkouts')
        .values({
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
        })
        .onConflict((conflict) => conflict.column('key').doNothing())
        .execute();
      const { id } = await db.selectFrom('sandbox_checkouts').select('id').where('key', '=', key).executeTakeFirstOrThrow();
      return { id, url: new URL(`/sandbox/${id}`, publicUrl()).href };
    },
    retrieve,
    expire: async (id) => {
      await move(id, ['open', 'challenged'], 'closed');
      return retrieve(id);
    },
    verifyWebhook: verifySigned(webhookSecret),
  };
  return { gateway, find, move };
};
