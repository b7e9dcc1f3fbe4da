// The apps by identifier: the one list that every other room's registry must match.
import { z } from 'zod';
import type { AppContract } from './app.ts';
import { documentSignature } from './document-signature.ts';
import { eForm } from './e-form.ts';
import { oneTimePasscode } from './one-time-passcode.ts';
import { passkeys } from './passkeys.ts';
import { payments } from './payments.ts';

/** The apps, in the order in which a menu shows them. */
export const apps = {
  passkeys,
  'one-time-passcode': oneTimePasscode,
  'document-signature': documentSignature,
  payments,
  'e-form': eForm,
} as const satisfies { readonly [Id in string]: AppContract<Id> };
export type Apps = typeof apps;
export type AppId = keyof Apps;

/** The identifiers, in the same order. */
export const appIds = Object.keys(apps) as unknown as readonly [AppId, ...AppId[]];

/** The apps whose success can prove who the customer is. */
export type VerifyingAppId = { [Id in AppId]: Apps[Id]['verifies'] extends false ? never : Id }[AppId];

/** Whether a string names an app. */
export const isAppId = (value: unknown): value is AppId => appIds.includes(value as AppId);

/** The input of an app's send. */
export type SendRequest<Id extends AppId> = z.input<Apps[Id]['operations']['send']['request']>;
/** The answer of an app's send, by the interface. */
export type SendResponse<Id extends AppId> = z.output<Apps[Id]['operations']['send']['response']>;
/** The input of an app's bootstrap. */
export type BootstrapRequest<Id extends AppId> = z.input<Apps[Id]['operations']['bootstrap']['request']>;
/** The answer of an app's bootstrap, by the interface. */
export type BootstrapResponse<Id extends AppId> = z.output<Apps[Id]['operations']['bootstrap']['response']>;

/** The answer of an app's send, as a client reads it. */
export type SendAnswer<Id extends AppId> = z.output<Apps[Id]['operations']['send']['reading']>;
/** The answer of an app's bootstrap, as a client reads it. */
export type BootstrapAnswer<Id extends AppId> = z.output<Apps[Id]['operations']['bootstrap']['reading']>;

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
