// LOOKUP_REPLIES and CATALOGUE_NUMBER: who is shown the customers of a number, and what is offered to everybody else.
import type { Activity } from 'botbuilder';
import { isSignedIn, type Services } from '../../dialogs/index.ts';
import type { Log } from '../platform/log.ts';
import type { Settings } from './settings.ts';

/** A customer of the reference service's demo account, with all that it offers. */
const demoNumber = '+12025550102';

/** How typed numbers are answered. Unless it is said, alike in production, where nobody vouches for who types. */
export const lookupReplies = (
  { CATALOGUE_NUMBER, LOOKUP_REPLIES, NODE_ENV, SERVICE_BASE_URL }: Settings,
  log: Log,
): Pick<Services, 'asksInitials' | 'catalogueNumber'> => {
  const catalogueNumber = CATALOGUE_NUMBER ?? (SERVICE_BASE_URL === undefined ? demoNumber : undefined);
  const replies = LOOKUP_REPLIES ?? (NODE_ENV === 'production' ? 'alike' : 'offer');
  if (replies === 'alike' && catalogueNumber === undefined)
    log.warn(
      { component: 'bot', reason: 'no_catalogue_number' },
      'CATALOGUE_NUMBER is not set: customers who type their number cannot choose documents and products',
    );
  return {
    asksInitials: (activity: Partial<Activity>) => replies === 'alike' && (LOOKUP_REPLIES === 'alike' || !isSignedIn(activity)),
    ...(catalogueNumber !== undefined && { catalogueNumber }),
  };
};
