// An activity as a reader of its chat sees it.
import type { ChatStore, StoredActivity } from '../../src/storage/index.ts';

export const keptActivity = async (chats: ChatStore, chatId: string, id: string): Promise<StoredActivity | undefined> => {
  const page = await chats.page(chatId, { since: 0, after: 0, limit: 1_000 });
  return page?.activities.find(({ activity }) => activity.id === id)?.activity;
};
