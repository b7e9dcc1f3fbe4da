// The result record of any app: the truth about a finished interaction (docs/interface.md#results).
import { z } from 'zod';
import { type AppId, type Apps, appIds, apps } from './apps.ts';

type ResultRecords = { readonly [Id in AppId]: Apps[Id]['result']['record'] };
type ResultReadings = { readonly [Id in AppId]: Apps[Id]['result']['reading'] };

/** The result record of each app. */
export const resultRecords = Object.fromEntries(appIds.map((id) => [id, apps[id].result.record])) as ResultRecords;

/** A result record of any app. */
export const resultRecord = z.discriminatedUnion('app', Object.values(resultRecords) as [ResultRecords[AppId], ...ResultRecords[AppId][]]);

/** A result record of any app, as a client reads it. */
export const resultReading = z.discriminatedUnion(
  'app',
  appIds.map((id) => apps[id].result.reading) as unknown as [ResultReadings[AppId], ...ResultReadings[AppId][]],
);
export type ResultRecord<Id extends AppId = AppId> = z.output<ResultReadings[Id]>;
