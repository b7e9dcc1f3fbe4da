// The thumbs below an outcome, as Web Chat takes them.
import { type Rating, ratings } from '../src/interactions/index.ts';

/** Names the outcome of an interaction among what can be liked. */
export const thumbScheme = 'urn:countersign:outcome:';

const actions = { like: 'LikeAction', dislike: 'DislikeAction' } as const satisfies Record<Rating, string>;

/** What makes Web Chat show them below a message: what can be done with it (schema.org, `potentialAction`). */
export const thumbs = (interaction: string) => {
  const message = { '@context': 'https://schema.org', '@type': 'Message', '@id': '', type: 'https://schema.org/Message' };
  const action = (rating: Rating) => ({
    '@id': `${thumbScheme}${interaction}:${rating}`,
    '@type': actions[rating],
    // It comes back as an entity of the event, and every entity has one.
    type: `https://schema.org/${actions[rating]}`,
    actionStatus: 'PotentialActionStatus',
  });
  return { ...message, potentialAction: ratings.map(action) };
};
