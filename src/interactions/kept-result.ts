// What is kept of a result: what happened, and by which names the service knows it. The rest is read anew when somebody may see it.
import type { AppId, ResultRecord } from '../contract/index.ts';

/** What says whose result it is, what came of it, and when. */
const common = ['accountId', 'app', 'customerRef', 'id', 'sessionRef', 'status', 'reason', 'timestamp'] as const;

/** What each app's outcome is told with in any chat. Answers, links, receipts, and where the customer was, are not among it. */
const own = {
  passkeys: ['action'],
  'one-time-passcode': [],
  'document-signature': ['title'],
  payments: ['product', 'productId', 'quantity', 'amount', 'currency'],
  'e-form': ['zeroKnowledge'],
} as const satisfies { [Id in AppId]: readonly (keyof ResultRecord<Id>)[] };

/** A result as it is kept with its interaction. */
export type KeptResult<Id extends AppId = AppId> = {
  [App in Id]: Pick<ResultRecord<App>, (typeof common)[number]> & Partial<ResultRecord<App>>;
}[Id];

/** A result without what no chat may keep (docs/decisions/0008). */
export const keptOf = (result: KeptResult): KeptResult => {
  const names: readonly string[] = [...common, ...own[result.app]];
  return Object.fromEntries(Object.entries(result).filter(([name]) => names.includes(name))) as KeptResult;
};
