// What a channel can do, as far as the dialogs care.

export interface Channel {
  /** Shows Adaptive Cards. Where it cannot, choices are listed in the text, numbered. */
  readonly cards: boolean;
  /** Replaces a message in place. Where it cannot, a waiting card stays as it was sent. */
  readonly updates: boolean;
  /** Takes a customer's message out of the chat when asked to. */
  readonly removes: boolean;
}

const textOnly = new Set(['sms', 'telephony', 'whatsapp', 'line', 'groupme', 'twilio-sms', 'email', 'acs']);
const updating = new Set(['msteams', 'slack']);

/** The abilities of an activity's channel. `ownChat` is the service address of our own Direct Line, which can do everything. */
export const channelOf = (
  { channelId, serviceUrl }: { channelId: string; serviceUrl: string },
  ownChat = 'urn:countersign:directline',
): Channel => ({
  cards: !textOnly.has(channelId),
  updates: updating.has(channelId) || serviceUrl === ownChat,
  removes: serviceUrl === ownChat,
});
