// Thumbs up or down for an outcome: only the customer's rating is stored, and nothing that they wrote: people write
// names and numbers there. The thumbs are the channel's own, since a card of ours would look like the next step.
import { z } from 'zod';
import { type Rating, ratings } from '../../src/interactions/index.ts';
import type { ChannelProfile } from '../../src/platform/channels.ts';
import { type Activity, INVOKE_RESPONSE_KEY, type TurnContext } from '../sdk.ts';
import type { Extras } from './activities.ts';
import type { RequestMemory } from './memory.ts';
import type { Turn } from './turn.ts';

/** Names an interaction's outcome as a thing that can be rated. */
const thumbScheme = 'urn:countersign:outcome:';

const actions = { like: 'LikeAction', dislike: 'DislikeAction' } as const satisfies Record<Rating, string>;

/** Makes Web Chat show the thumbs below a message: as its potential actions (schema.org, `potentialAction`). */
const thumbs = (interaction: string) => {
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

/** Lets the customer rate an outcome below its message, if the channel supports that. */
export const thumbsBelow = (
  { channel }: { readonly channel: Pick<ChannelProfile, 'thumbs'> },
  interaction: string,
): Pick<Extras, 'channelData' | 'entities'> => {
  if (channel.thumbs === 'loop') return { channelData: { feedbackLoopEnabled: true } };
  return channel.thumbs === 'entity' ? { entities: [thumbs(interaction)] } : {};
};

const pressed = z.object({ '@id': z.string().startsWith(thumbScheme) });

/** Teams' built-in thumbs (learn.microsoft.com, "Add feedback buttons"). Comments written beside them are not read. */
const submitted = z.object({ actionName: z.literal('feedback'), actionValue: z.object({ reaction: z.enum(ratings) }) });

const ratingIn = (
  { entities = [], name, replyToId, type, value }: Partial<Activity>,
  { rateable = [] }: RequestMemory,
): { readonly rating: Rating; readonly interaction?: string | undefined } | undefined => {
  if (type === 'event' && name === 'webchat:activity-status/feedback') {
    const [id] = entities.flatMap((entity) => pressed.safeParse(entity).data?.['@id'] ?? []);
    const [interaction, said] = id?.slice(thumbScheme.length).split(':') ?? [];
    const rating = ratings.find((known) => known === said);
    return rating && { rating, interaction };
  }
  if (type !== 'invoke' || name !== 'message/submitAction') return undefined;
  const { data } = submitted.safeParse(value);
  return data && { rating: data.actionValue.reaction, interaction: rateable.find(({ message }) => message === replyToId)?.interaction };
};

/** Notes which message held the outcome, for channels whose ratings only name the message. */
export const noteRateable = ({ channel, memory }: Turn, interaction: string, message: string | undefined): void => {
  if (channel.thumbs !== 'loop' || message === undefined) return;
  memory.rateable = [...(memory.rateable ?? []), { message, interaction }].slice(-kept);
};

/** How many outcomes back can be rated where a rating only names the message. */
const kept = 10;

/**
 * Stores the customer's rating of an outcome; `false` if the turn is about something else. The bot does not answer it.
 */
export const handleRating = async (turn: Turn): Promise<boolean> => {
  const { context, memory, services } = turn;
  const said = ratingIn(context.activity, memory);
  if (!said) return false;
  const { conversation } = services.chatOf(context.activity);
  if (said.interaction !== undefined) await services.interactions.rate(said.interaction, conversation, said.rating);
  if (context.activity.type === 'invoke') await acknowledge(context);
  return true;
};

const acknowledge = async (context: TurnContext) => {
  if (!context.turnState.get(INVOKE_RESPONSE_KEY)) await context.sendActivity({ type: 'invokeResponse', value: { status: 200 } });
};
