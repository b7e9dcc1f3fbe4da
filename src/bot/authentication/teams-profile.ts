// The phone number in a Teams user's profile, through Microsoft Graph.
import { type Dispatcher, request } from 'undici';
import { z } from 'zod';
import { channelOf } from '../../platform/channels.ts';
import { faultFields, type Log } from '../../platform/log.ts';
import type { Activity } from '../sdk.ts';
import type { AccessToken } from './tokens.ts';

/**
 * The audience of Graph's access tokens. The app needs the application permission `User.Read.All`, granted by an
 * administrator.
 */
export const graphAudience = 'https://graph.microsoft.com';

/** Milliseconds: a customer is waiting, and can type the number instead. */
const patience = 3000;

const profile = z.object({ mobilePhone: z.string().nullish(), businessPhones: z.array(z.string()).nullish() });

/**
 * The number in the profile of a Teams activity's sender (mobile before business). Any fault means "unknown", and the
 * customer is asked.
 */
export const makeTeamsProfile = (token: AccessToken, dispatcher: Dispatcher, log: Log, graph = graphAudience, deadline = patience) => {
  const read = async (userId: string) => {
    const answer = await request(`${graph}/v1.0/users/${encodeURIComponent(userId)}?$select=mobilePhone,businessPhones`, {
      dispatcher,
      headers: { authorization: `Bearer ${await token.get()}`, accept: 'application/json' },
      signal: AbortSignal.timeout(deadline),
    });
    const body = await answer.body.text();
    if (answer.statusCode === 401) token.renew();
    if (answer.statusCode !== 200) {
      log.warn({ operation: 'teams.profile', status: answer.statusCode }, 'a profile could not be read');
      return undefined;
    }
    const { mobilePhone, businessPhones } = profile.parse(JSON.parse(body));
    return mobilePhone || businessPhones?.[0] || undefined;
  };

  return async ({ from, ...activity }: Partial<Activity>): Promise<string | undefined> => {
    if (channelOf(activity).users !== 'accounts' || !from?.aadObjectId) return undefined;
    try {
      return await read(from.aadObjectId);
    } catch (fault) {
      log.warn({ ...faultFields(fault), operation: 'teams.profile' }, 'a profile could not be read');
      return undefined;
    }
  };
};
