// An outgoing message on its way to a channel: a list of steps around the connector, read from the outermost to the
// innermost where the list is written (channels.ts).
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../platform/log.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { fullJitter } from '../../platform/time/waits.ts';
import type { Activity } from '../sdk.ts';
import { inSteps, type Middleware } from '../steps.ts';
import { type Connector, ConnectorError } from './connector.ts';

/** One call of a {@link Connector}. */
export type ConnectorCall = { readonly conversation: string } & (
  | { readonly kind: 'post'; readonly activity: Partial<Activity>; readonly replyTo?: string | undefined }
  | { readonly kind: 'update'; readonly activity: Partial<Activity>; readonly id: string }
  | { readonly kind: 'remove'; readonly id: string }
);

export type ConnectorStep = Middleware<ConnectorCall, unknown>;

/** The connector behind the steps; the first is the outermost. */
export const throughSteps = (steps: readonly ConnectorStep[], connector: Connector): Connector => {
  const send = inSteps(steps, async (outgoing) => {
    const { conversation, kind } = outgoing;
    if (kind === 'post') return connector.post(conversation, outgoing.activity, outgoing.replyTo);
    if (kind === 'update') return connector.update(conversation, outgoing.id, outgoing.activity);
    return connector.remove(conversation, outgoing.id);
  });
  return {
    post: (conversation, activity, replyTo) => send({ kind: 'post', conversation, activity, replyTo }) as ReturnType<Connector['post']>,
    update: (conversation, id, activity) => send({ kind: 'update', conversation, id, activity }) as ReturnType<Connector['update']>,
    remove: (conversation, id) => send({ kind: 'remove', conversation, id }) as ReturnType<Connector['remove']>,
  };
};

/** A length that no channel refuses (a segment of a text message has 160, a chat several thousand), in characters. */
const short = 1000;

const cut = (text: string) => (text.length > short ? `${text.slice(0, short - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : text);

/** A plain substitute for an activity; `undefined`: there is nothing shorter or plainer. */
const inWords = (activity: Partial<Activity>): Partial<Activity> | undefined => {
  const { attachments, suggestedActions: _, summary, speak, text = '', ...rest } = activity;
  const words = speak && speak.length <= short ? speak : (summary ?? speak ?? text);
  const plain = attachments?.length ? words : text;
  if (plain === '' || (!attachments?.length && plain.length <= short)) return undefined;
  return { ...rest, text: cut(plain), textFormat: 'plain' };
};

/** Posts again as plain text what the channel refused (400, 413 and other final 4xx except 403 and 404). */
export const plainTextInstead =
  (log: Log): ConnectorStep =>
  async (outgoing, next) => {
    try {
      return await next(outgoing);
    } catch (fault) {
      const rejected = outgoing.kind === 'post' && fault instanceof ConnectorError && fault.code === 'rejected';
      const activity = rejected ? inWords(outgoing.activity) : undefined;
      if (outgoing.kind !== 'post' || !activity) throw fault;
      const { status, reason } = fault as ConnectorError;
      log.warn({ channel: activity.channelId, status, reason }, 'a channel refused a message; it goes once more as short plain text');
      return next({ ...outgoing, activity });
    }
  };

/** Attempts after the first, and the time (ms) from the first attempt to the start of the last. */
const maxRetries = 2;
const retryWithinMs = 3000;

/**
 * Makes up to two more attempts, for `busy` answers only (412, 429, 502, 504: Teams asks for retries with jitter). Final
 * and uncertain faults surface at once, and so does a `busy` whose Retry-After does not fit into the time for retries.
 * @param pause - resolves after that many milliseconds
 */
export const retryWhenBusy =
  (clock: Clock, random: () => number = Math.random, pause: (ms: number) => Promise<unknown> = sleep): ConnectorStep =>
  async (outgoing, next) => {
    const end = clock.now() + retryWithinMs;
    for (let tries = 0; ; tries++) {
      try {
        return await next(outgoing);
      } catch (fault) {
        if (!(fault instanceof ConnectorError) || fault.code !== 'busy' || tries >= maxRetries) throw fault;
        const wait = (fault.retryAfter ?? 0) + fullJitter({ base: 400, cap: 1500 }, tries, random);
        if (clock.now() + wait > end) throw fault;
        await pause(wait);
      }
    }
  };

/**
 * A message that a channel refused: the customer has blocked the bot, the chat is gone (or the bot was removed
 * from it), or there were too many.
 */
export type Refused = { readonly channel: string; readonly reason: 'blocked' | 'gone' | 'throttled' };

/**
 * Teams' code for a chat whose user has blocked the bot (learn.microsoft.com, "Send proactive messages":
 * status codes).
 */
const blocked = new Set(['ConversationBlockedByUser', 'MessageWritesBlocked']);

const refusalIn = ({ code, reason = '', status }: ConnectorError): Refused['reason'] | undefined => {
  if (status === 429) return 'throttled';
  if (code === 'gone') return blocked.has(reason) ? 'blocked' : 'gone';
  return undefined;
};

/** Reports refusals to the operator: by channel and reason, and never by chat. */
export const reportRefusals =
  (log: Log, onRefused?: (refused: Refused) => void): ConnectorStep =>
  async (outgoing, next) => {
    try {
      return await next(outgoing);
    } catch (fault) {
      const refusal = fault instanceof ConnectorError ? refusalIn(fault) : undefined;
      if (!refusal || outgoing.kind === 'remove') throw fault;
      const { channelId: channel = 'other' } = outgoing.activity;
      const { reason, status } = fault as ConnectorError;
      log.warn({ channel, state: refusal, status, reason }, 'a channel did not take a message');
      onRefused?.({ channel, reason: refusal });
      throw fault;
    }
  };
