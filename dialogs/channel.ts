// What a channel can do, as far as the dialogs care.

export interface Channel {
  /** Shows Adaptive Cards, and their buttons work. Where not, everything is said in text, with choices numbered. */
  readonly cards: boolean;
  /** Is shown by Web Chat, which reads a card out only by words that stand beside it. */
  readonly webChat: boolean;
  /** Alerts the customer's devices for a message that asks for it. */
  readonly alerts: boolean;
  /** Replaces a message in place. Where it cannot, a waiting card stays as it was sent. */
  readonly updates: boolean;
  /** Takes a customer's message out of the chat when asked to. */
  readonly removes: boolean;
}

const inWebChat = new Set(['directline', 'emulator', 'webchat']);
/**
 * The others turn a card into a picture without buttons, or drop it (learn.microsoft.com, "Channels reference": card
 * support).
 */
const showing = new Set([...inWebChat, 'msteams']);
const updating = new Set(['msteams', 'slack']);

/** The abilities of an activity's channel. `ownChat` is the service address of our own Direct Line, which can do everything. */
export const channelOf = (
  { channelId, serviceUrl }: { channelId: string; serviceUrl: string },
  ownChat = 'urn:countersign:directline',
): Channel => ({
  cards: showing.has(channelId),
  webChat: inWebChat.has(channelId),
  alerts: channelId === 'msteams',
  updates: updating.has(channelId) || serviceUrl === ownChat,
  removes: serviceUrl === ownChat,
});
