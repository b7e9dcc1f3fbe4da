// Who can be sent messages: the channel must be available and the country allowed. Checked before anything is stored.
import parsePhoneNumber from 'libphonenumber-js';
import { HttpProblem } from '../../../platform/http/http-problem.ts';
import type { Channel } from '../store/request.ts';
import type { Delivery } from './message.ts';

export type Reach = ReturnType<typeof makeReach>;

/**
 * What keeps a message from a destination: no way is configured for its channel, or the number is of a country that is
 * not on the list. `undefined`: nothing does. `countries` are those that SMS may go to, ISO 3166; none means all. A
 * number without a known country is in none of them.
 */
export const makeReach =
  (delivery: Delivery, countries: readonly string[] = []) =>
  (channel: Channel, to: string): 'channel' | 'country' | undefined => {
    if (delivery.carries?.(channel) === false) return 'channel';
    if (channel !== 'sms' || countries.length === 0) return undefined;
    const country = parsePhoneNumber(to)?.country;
    return country !== undefined && countries.includes(country) ? undefined : 'country';
  };

/** @throws {HttpProblem} 503 or 422 where something keeps a message from one of its recipients. */
export const refuseUnreachable = (reach: Reach, channel: Channel, recipients: readonly { readonly to: string }[]) => {
  for (const { to } of recipients) {
    switch (reach(channel, to)) {
      case 'channel':
        throw new HttpProblem(
          503,
          'channel_unavailable',
          channel === 'sms'
            ? 'This service cannot send SMS, which this message needs.'
            : 'This service cannot send e-mail, which this message needs.',
        );
      case 'country':
        throw new HttpProblem(422, 'country_not_allowed', 'No messages are sent to phone numbers of this country.', {
          errors: [{ path: 'phoneNumber', message: 'is of a country that no messages are sent to' }],
        });
    }
  }
};
