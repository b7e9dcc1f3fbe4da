// WAIT_MINUTES: how long each app's requests are good, where the service does not tell.
import { z } from 'zod';
import { type AppId, isAppId } from '../contract/index.ts';

const wrong = 'must be a list such as payments=30,e-form=45, of apps and whole minutes from 1 to 10080 (a week)';

/** Apps with their minutes; an app that is not named keeps what is usual. */
export const waitMinutes = z
  .string()
  .transform((list) => list.split(',').map((entry) => entry.trim().split('=')))
  .refine((entries) => entries.every(([app, minutes, more]) => isAppId(app) && isMinutes(minutes) && more === undefined), wrong)
  .refine((entries) => new Set(entries.map(([app]) => app)).size === entries.length, 'must name each app once')
  .transform((entries): Partial<Record<AppId, number>> => Object.fromEntries(entries.map(([app, minutes]) => [app, Number(minutes)])));

const isMinutes = (text: string | undefined) => text !== undefined && /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 10_080;
