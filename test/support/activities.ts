// Inbound activities as channels send them.

/** A message as JSON, with the given fields on top. */
export const message = (fields: Record<string, unknown> = {}): Record<string, unknown> => ({
  type: 'message',
  id: 'activity-1',
  timestamp: '2026-11-20T08:00:00.1234567Z',
  localTimestamp: '2026-11-20T09:00:00.1234567+01:00',
  channelId: 'test',
  serviceUrl: 'http://127.0.0.1:1',
  conversation: { id: 'conversation-1' },
  from: { id: 'user-1', name: 'Jane' },
  recipient: { id: 'bot-1' },
  locale: 'en-US',
  text: 'Hello',
  ...fields,
});
