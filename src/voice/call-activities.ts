// The messages exchanged with AudioCodes' VoiceAI Connect in the HTTP mode of its Bot API (techdocs.audiocodes.com,
// "AudioCodes Bot API"): activities like Bot Framework's, with different names.
import { z } from 'zod';
import type { Incoming } from '../directline/index.ts';
import { languageTag } from '../platform/text/accept-language.ts';
import type { StoredActivity } from '../storage/index.ts';

const short = z.string().max(200);
const parameters = z.looseObject({ caller: short.optional().catch(undefined), locale: languageTag.optional() });

/** One activity of the gateway. Fields that we do not read pass through. */
const fromGateway = z.looseObject({
  id: z.string().min(1).max(200),
  type: z.string().max(50),
  name: short.optional(),
  text: z.string().optional(),
  value: z.unknown().optional(),
  language: languageTag.optional(),
  parameters: parameters.optional().catch(undefined),
});
export type GatewayActivity = z.output<typeof fromGateway>;

/** The body of a request for a call: the call's name, and its events. */
export const callBody = z.looseObject({
  conversation: z.string().regex(/^[\w.:-]{1,100}$/, 'must be 1 to 100 letters, digits, or any of _ . : -'),
  activities: z.array(fromGateway).max(50).default([]),
  reason: z.string().max(1000).optional().catch(undefined),
  reasonCode: short.optional().catch(undefined),
});

const number = /^\+?(\d{7,15})$/;

/** The caller as a user: the number that the call came from, which may be forged; or an anonymous one. */
export const userOf = (activities: readonly GatewayActivity[], conversation: string): string => {
  const caller = activities.find(({ parameters }) => parameters?.caller !== undefined)?.parameters?.caller ?? '';
  const digits = number.exec(caller)?.[1];
  return digits === undefined ? `anonymous:${conversation}` : `tel:+${digits}`;
};

/** The caller's language, if the gateway tells it. */
export const callLocale = ({ language, parameters }: GatewayActivity): string | undefined => language ?? parameters?.locale;

const transferStatus = z.looseObject({ status: z.enum(['answered', 'failed']) });

/** The part of an activity that is passed to the bot; `undefined`: nothing. */
export const toBot = (activity: GatewayActivity): Incoming | undefined => {
  const { id, type, name, text, value } = activity;
  const locale = callLocale(activity);
  const common = { channelData: { clientActivityID: id }, ...(locale !== undefined && { locale }) };
  if (type === 'message' && text !== undefined) return { ...common, type, text };
  if (type !== 'event') return undefined;
  if (name === 'DTMF') return { ...common, type, name, value };
  if (name === 'transferStatus') {
    const { data } = transferStatus.safeParse(value);
    return data && { ...common, type, name: 'handoff.status', value: { state: data.status === 'answered' ? 'accepted' : 'failed' } };
  }
  return undefined;
};

/** Each key separately, as soon as it is pressed: only the bot knows which of them belong together. */
const keys = { sendDTMF: true, dtmfCollect: false } as const;

/** The beginning of every call. */
export const opening = (id: string, timestamp: string) => ({ id, timestamp, type: 'event', name: 'config', sessionParams: keys });

const said = z.looseObject({ text: z.string().optional(), speak: z.string().optional() });
const transferred = z.looseObject({ activityParams: z.record(z.string(), z.unknown()) });

/** The bot's activity in the gateway's form, without what the gateway cannot use. */
export const toGateway = ({ id, timestamp, type, name, ...activity }: StoredActivity): object[] => {
  const named = { id, timestamp };
  if (type === 'message') {
    const { text = '', speak = text } = said.parse(activity);
    return speak === '' ? [] : [{ ...named, type, text: speak }];
  }
  if (type === 'endOfConversation') return [{ ...named, type: 'event', name: 'hangup' }];
  const params = name === 'transfer' ? transferred.safeParse(activity.channelData).data?.activityParams : undefined;
  return params ? [{ ...named, type: 'event', name, activityParams: params }] : [];
};
