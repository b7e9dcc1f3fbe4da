// The port through which the bot posts into a channel, and its narrow adaptation to what the adapter calls.
import type { Activity } from 'botbuilder';
import type { ConnectorClient } from 'botframework-connector';
import { ConnectorError } from './connector-error.ts';

/** The `serviceUrl` of activities of our own Direct Line. It is not an address: nothing that arrives over HTTP may carry it. */
export const ownServiceUrl = 'urn:countersign:directline';

/**
 * Posts to one channel's service. Every method posts once or throws; none is ever repeated in secret.
 * @throws {ConnectorError} or an error with the same `final` and `ambiguous`.
 */
export interface Connector {
  /** Adds an activity. The id is empty when the channel took it and told none. */
  post(conversationId: string, activity: Partial<Activity>, replyToId?: string): Promise<{ id: string }>;
  /** Replaces an activity. `undefined`: it is gone, or the channel cannot replace: post a new one. */
  update(conversationId: string, activityId: string, activity: Partial<Activity>): Promise<{ id: string } | undefined>;
  /** Removes an activity; one that is already gone is removed. */
  remove(conversationId: string, activityId: string): Promise<void>;
}

type Conversations = ConnectorClient['conversations'];

const notSupported = async () => {
  throw new ConnectorError('not_supported');
};

/**
 * A connector in the shape the adapter calls (botbuilder-core `CloudAdapterBase`: `conversations.sendToConversation`, `replyToActivity`,
 * `updateActivity`, `deleteActivity`). Every other operation of the stock client is refused with `not_supported`.
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
