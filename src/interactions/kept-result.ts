// What is stored of a result: what happened, and by which names the service knows it. The rest is read anew when
// somebody may see it.
import { type AppId, apps, type ResultRecord } from '../contract/index.ts';

/** Whose result it is, what came of it, and when. */
const common = ['accountId', 'app', 'customerRef', 'id', 'sessionRef', 'status', 'reason', 'timestamp'] as const;

/** A result as it is stored with its interaction. */
export type KeptResult<Id extends AppId = AppId> = {
  [App in Id]: Pick<ResultRecord<App>, (typeof common)[number]> & Partial<ResultRecord<App>>;
}[Id];

/** A result without what no chat may store (docs/decisions/0008). */
export const keptOf = (result: KeptResult): KeptResult => {
  const names: readonly string[] = [...common, ...apps[result.app].storedFields];
  return Object.fromEntries(Object.entries(result).filter(([name]) => names.includes(name))) as KeptResult;
};
