// The port through which the bot posts into a channel, and the narrow adapter to the SDK's client.
import type { Activity, ConnectorClient } from '../sdk.ts';

/**
 * Posts to one channel's service. Every method makes one attempt or throws; nothing is repeated in the background.
 * @throws {ConnectorError} or an error with the same `final` and `ambiguous`.
 */
export interface Connector {
  /** Adds an activity. The id is empty when the channel accepted it without giving one. */
  post(conversationId: string, activity: Partial<Activity>, replyToId?: string): Promise<{ id: string }>;
  /** Replaces an activity. `undefined`: it is gone, or the channel has no updates: post a new one. */
  update(conversationId: string, activityId: string, activity: Partial<Activity>): Promise<{ id: string } | undefined>;
  /** Removes an activity. One that is already gone counts as removed. */
  remove(conversationId: string, activityId: string): Promise<void>;
}

type Conversations = ConnectorClient['conversations'];

const notSupported = async () => {
  throw new ConnectorError('not_supported');
};

/**
 * A connector in the shape that the adapter calls (botbuilder-core `CloudAdapterBase`:
 * `conversations.sendToConversation`, `replyToActivity`, `updateActivity`, `deleteActivity`). Every other operation of
 * the stock client is refused with `not_supported`.
 */
export const asConnectorClient = (connector: Connector): ConnectorClient => {
  const conversations = {
    sendToConversation: (conversationId: string, activity: Partial<Activity>) => connector.post(conversationId, activity),
    replyToActivity: (conversationId: string, activityId: string, activity: Partial<Activity>) =>
      connector.post(conversationId, activity, activityId),
    updateActivity: (conversationId: string, activityId: string, activity: Partial<Activity>) =>
      connector.update(conversationId, activityId, activity),
    deleteActivity: (conversationId: string, activityId: string) => connector.remove(conversationId, activityId),
    createConversation: notSupported,
    deleteConversationMember: notSupported,
    getActivityMembers: notSupported,
    getConversationMember: notSupported,
    getConversationMembers: notSupported,
    getConversationPagedMembers: notSupported,
    getConversations: notSupported,
    sendConversationHistory: notSupported,
    uploadAttachment: notSupported,
  } satisfies Record<keyof Conversations | 'getConversationMember', unknown>;
  return { conversations } as unknown as ConnectorClient;
};

// Faults of posting to a channel, in kinds that a caller can branch on without reading text.

/**
 * - `gone`: 403 or 404: blocked, removed, or no such conversation.
 * - `rejected`: another 4xx: this activity will never be accepted as it is (too large, malformed).
 * - `unauthorized`: 401: our token was not accepted; the next attempt uses a new one.
 * - `busy`: 412, 429, 502 or 504: not accepted, and the channel wants it again later (Teams: "Handle rate limits",
 *   retry guidance).
 * - `uncertain`: another 5xx: it may have been accepted.
 * - `no_answer`: sent, then silence, a reset or our deadline: it may have been accepted.
 * - `unreachable`: there was no connection, so nothing was sent.
 * - `no_token`: there was no access token, so nothing was sent.
 * - `refused_address`: the service URL or an id in it is one that we never send to.
 * - `unexpected_answer`: a status that connectors do not use, such as a redirect (redirects are never followed).
 * - `not_supported`: an operation of the Bot Framework's client that this bot does not use.
 */
export type ConnectorErrorCode =
  | 'gone'
  | 'rejected'
  | 'unauthorized'
  | 'busy'
  | 'uncertain'
  | 'no_answer'
  | 'unreachable'
  | 'no_token'
  | 'refused_address'
  | 'unexpected_answer'
  | 'not_supported';

const finalCodes: readonly ConnectorErrorCode[] = ['gone', 'rejected', 'refused_address', 'not_supported'];
const ambiguousCodes: readonly ConnectorErrorCode[] = ['uncertain', 'no_answer'];

/**
 * An activity was not posted, or may not have been. The message is the code: it never quotes the activity or the
 * answer.
 */
export class ConnectorError extends Error {
  override readonly name = 'ConnectorError';
  readonly code: ConnectorErrorCode;
  /** The HTTP status, if there was an answer. */
  readonly status: number | undefined;
  /** How long the channel asks us to wait, in milliseconds. */
  readonly retryAfter: number | undefined;
  /**
   * The channel's own error code (`ConversationNotFound`, …), if there was one: for the operator, not for decisions.
   */
  readonly reason: string | undefined;
  /** Whether the channel may have accepted it: a repeat may show it twice. */
  readonly ambiguous: boolean;
  /** Whether the same post can never succeed. */
  readonly final: boolean;

  constructor(
    code: ConnectorErrorCode,
    {
      status,
      retryAfter,
      reason,
      cause,
    }: { status?: number; retryAfter?: number | undefined; reason?: string | undefined; cause?: unknown } = {},
  ) {
    super(code, { cause });
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
    this.reason = reason;
    this.ambiguous = ambiguousCodes.includes(code);
    this.final = finalCodes.includes(code);
  }
}

/** The code for an answer's status. Not for 2xx. */
export const codeOfStatus = (status: number): ConnectorErrorCode => {
  if (status === 401) return 'unauthorized';
  if (status === 403 || status === 404) return 'gone';
  if (status === 412 || status === 429 || status === 502 || status === 504) return 'busy';
  if (status >= 500) return 'uncertain';
  if (status >= 400) return 'rejected';
  return 'unexpected_answer';
};
