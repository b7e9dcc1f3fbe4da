// Who is shown the customers of a number, and what is offered to everybody else.

import { isSignedIn, type Services } from '../../dialogs/index.ts';
import type { Log } from '../platform/log.ts';
import type { ConversationOptions } from './bot-options.ts';
import type { Activity } from './sdk.ts';

/** How typed numbers are answered. Unless it is said, alike where nobody vouches for who types. */
export const lookupReplies = (
  { catalogueNumber, lookupReplies: replies, tenants = [] }: Pick<ConversationOptions, 'catalogueNumber' | 'lookupReplies' | 'tenants'>,
  log: Log,
): Pick<Services, 'asksInitials' | 'catalogueNumber'> => {
  if (replies !== 'offer' && catalogueNumber === undefined)
    log.warn(
      { component: 'bot', reason: 'no_catalogue_number' },
      'catalogueNumber is not given (CATALOGUE_NUMBER in settings): customers who type their number cannot choose documents and products',
    );
  return {
    asksInitials: (activity: Partial<Activity>) => replies !== 'offer' && (replies === 'alike' || !isSignedIn(activity, tenants)),
    ...(catalogueNumber !== undefined && { catalogueNumber }),
  };
};
